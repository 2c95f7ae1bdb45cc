package invgen

import (
	"math/big"

	"c2bp/frontend/core"
	"c2bp/refine/algebra"
)

// This file fits linear equations to samples, by Gaussian elimination.

// affine is Σ factors[i]·entry i + constant, over the numbers at the entry of a sampled procedure.
type affine struct {
	factors  []*big.Int // by entry
	constant *big.Int
}

// fit returns l and k with k·exit == l in all samples, for the exit with that number; nil if there are
// none, or if the samples are too few to tell.
//
//	n = 1, 4, 6, 0   m = 2, 2, 5, 1   \result = 3, 6, 11, 1        'n + 'm, 1
func (w *sampling) fit(acts []*activation, exit int) (l *affine, k *big.Int) {
	// 1. A row for each sample: 1, the entries, the exit.
	n := len(w.entries)
	var rows [][]*big.Rat
	for _, s := range samplesOf(acts) {
		row := []*big.Rat{big.NewRat(1, 1)}
		for _, v := range s.entry {
			row = append(row, new(big.Rat).SetInt(v))
		}
		rows = append(rows, append(row, new(big.Rat).SetInt(s.exit[exit])))
	}
	// 2. There is such an equation if the exit's column has no pivot, and it is more than a coincidence if
	// there are more samples than pivots.
	pivots := rowEchelon(rows)
	if len(pivots) >= len(rows) || len(pivots) > 0 && pivots[len(pivots)-1] == n+1 {
		return nil, nil
	}
	// 3. The exit's column is a combination of those with a pivot; k makes its factors integers.
	k = big.NewInt(1)
	for i := range pivots {
		d := rows[i][n+1].Denom()
		k = new(big.Int).Mul(k, new(big.Int).Quo(d, new(big.Int).GCD(nil, nil, k, d)))
	}
	l = &affine{factors: make([]*big.Int, n), constant: new(big.Int)}
	for i := range l.factors {
		l.factors[i] = new(big.Int)
	}
	for i, column := range pivots {
		f := new(big.Rat).Mul(rows[i][n+1], new(big.Rat).SetInt(k)).Num()
		if column == 0 {
			l.constant = f
		} else {
			l.factors[column-1] = f
		}
	}
	return l, k
}

// rowEchelon brings a matrix to reduced row echelon form and returns the columns with a pivot, by row.
func rowEchelon(rows [][]*big.Rat) (pivots []int) {
	if len(rows) == 0 {
		return nil
	}
	for column := 0; column < len(rows[0]) && len(pivots) < len(rows); column++ {
		// 1. Find a row with a pivot in this column, and move it to the top of the rest.
		at := len(pivots)
		for at < len(rows) && rows[at][column].Sign() == 0 {
			at++
		}
		if at == len(rows) {
			continue
		}
		top := len(pivots)
		rows[top], rows[at] = rows[at], rows[top]
		// 2. Scale it, and clear the column in all other rows.
		inverse := new(big.Rat).Inv(rows[top][column])
		for j := range rows[top] {
			rows[top][j] = new(big.Rat).Mul(rows[top][j], inverse)
		}
		for i := range rows {
			if f := rows[i][column]; i != top && f.Sign() != 0 {
				for j := range rows[i] {
					rows[i][j] = new(big.Rat).Sub(rows[i][j], new(big.Rat).Mul(f, rows[top][j]))
				}
			}
		}
		pivots = append(pivots, column)
	}
	return pivots
}

// affineRelation returns k·v op l in terms of symbolic constants, nil if a number does not fit.
func (w *sampling) affineRelation(op core.BinaryOp, v *core.Var, k *big.Int, l *affine) core.Expr {
	// k·v - Σ factors·symbolic constants - constant, compared with 0.
	s := algebra.Sum{Constant: new(big.Int).Neg(l.constant), Exact: true}
	s.AddAtom(k, v.Ref())
	for i, e := range w.entries {
		if l.factors[i].Sign() != 0 {
			s.AddAtom(new(big.Int).Neg(l.factors[i]), w.Constants.Of(w.proc, e.Ref()).Ref())
		}
	}
	left, right, ok := s.Sides(v.Type.(core.Int))
	if !ok {
		return nil
	}
	return &core.Binary{Op: op, X: left, Y: right}
}
