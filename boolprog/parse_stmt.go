package boolprog

import "fmt"

// This file parses statements.

// startsStmt and endsBlock report the keywords at which recovery stops.
func startsStmt(word string) bool {
	switch word {
	case "skip", "goto", "assume", "assert", "return", "if", "while", "dead", "print", "abortif":
		return true
	}
	return false
}

func endsBlock(word string) bool {
	switch word {
	case "end", "fi", "od", "else", "elsif", "void", "bool", "dfs", "class":
		return true
	}
	return false
}

// atBlockEnd reports whether no statement can follow in this block.
func (p *parser) atBlockEnd() bool {
	return p.tok.kind == tokEOF || p.tok.kind == tokKeyword && endsBlock(p.tok.text)
}

// stmts reads statements to the end of the block.
func (p *parser) stmts() []*Stmt {
	p.enter()
	defer p.leave()
	// The statements of this block are collected on top of those of the blocks around it.
	first := len(p.open)
	// Each statement recovers on its own; the inner loop avoids a guard for each.
	for done := false; !done; {
		p.syncStmt(p.guard(func() {
			for {
				for p.accept(";") {
				}
				if done = p.atBlockEnd(); done {
					return
				}
				p.stmt(first)
			}
		}))
	}
	// The list gets memory of its own, and the stack shrinks to the blocks around this one.
	list := p.mem.stmtLists.copyOf(p.open[first:])
	p.open = p.open[:first]
	return list
}

// block reads statements. An empty block becomes a skip, so that programs print in a form that
// other tools accept.
func (p *parser) block() []*Stmt {
	list := p.stmts()
	if len(list) == 0 {
		list = append(list, &Stmt{Pos: p.pos(), Op: &Skip{}})
	}
	return list
}

// syncStmt steps over the rest of a statement if it was abandoned.
func (p *parser) syncStmt(reason any) {
	switch reason.(type) {
	case nil:
		return
	case abandonProc, abandonAll:
		panic(reason)
	}
	// To the next ";", the end of the block, or the start of a statement.
	for !p.atBlockEnd() && !p.accept(";") {
		if p.tok.kind == tokKeyword && startsStmt(p.tok.text) {
			return
		}
		p.advance()
	}
}

// stmt reads a statement with its labels. A separate constrain clause is added to the statement
// before it. Its block begins at p.open[first].
func (p *parser) stmt(first int) {
	s := p.mem.stmts.new()
	s.Pos = p.pos()
	// A statement can have several labels.
	for p.tok.kind == tokName && p.ahead.is(":") {
		s.Labels = append(s.Labels, p.tok.text)
		p.advance()
		p.advance()
	}
	// A constrain clause has no node: s is dropped, and its Op stays nil.
	if p.tok.is("constrain") {
		p.constrainStmt(s, p.open[first:])
	} else {
		s.Annot = p.annots.takeStmt()
		s.Op = p.op()
		p.open = append(p.open, p.asThread(s)...)
	}
	// An if or while ends with its own word; the others need ";".
	switch s.Op.(type) {
	case *If, *While:
	default:
		if !p.tok.is(";") && !p.atBlockEnd() {
			p.expected(p.missingEnd(s.Op))
		}
	}
}

// missingEnd describes the tokens that could continue a statement that should have ended.
func (p *parser) missingEnd(op Op) string {
	switch op := op.(type) {
	case *Skip, *Call, *Print, *StartThread, *StartCall, *EndThread, *AtomicBegin, *AtomicEnd:
		return `";"`
	case *Goto, *Dead:
		return `"," or ";"`
	// An expression may be continued by an operator.
	case *Assign:
		if op.Constrain == nil {
			return `an operator, ",", "constrain" or ";"`
		}
	case *Return:
		if len(op.Values) == 0 {
			return `an expression or ";"`
		}
		return `an operator, "," or ";"`
	}
	return `an operator or ";"`
}

// constrainStmt reads a constrain clause that is written as a statement of its own after those of
// list. The assignment before it gets the clause:
//
//	a := *; constrain 'a | b;     is     a := * constrain 'a | b;
func (p *parser) constrainStmt(s *Stmt, list []*Stmt) {
	var last *Assign
	if len(list) > 0 {
		last, _ = list[len(list)-1].Op.(*Assign)
	}
	switch {
	// The clause belongs to the assignment before it.
	case last == nil:
		p.fail(`"constrain" must follow the assignment that it constrains`)
	case len(s.Labels) > 0:
		p.fail(`a label cannot stand between an assignment and its "constrain"`)
	}
	p.advance()
	last.Constrain = p.conjoin(last.Constrain, p.expr())
}

// op reads a statement without its labels and semicolon.
func (p *parser) op() Op {
	if p.at("ref") {
		p.fail(`"ref" must stand before the statements of the procedure`)
	}
	// A name starts an assignment or call, a keyword any other statement, except for those about threads.
	if p.tok.kind == tokName {
		if op := p.threadOp(); op != nil {
			return op
		}
		return p.assignOrCall()
	}
	if p.tok.kind == tokKeyword {
		switch word := p.tok.text; word {
		case "skip":
			p.advance()
			return &Skip{}
		case "goto":
			p.advance()
			return &Goto{Targets: p.names("a label")}
		case "assume":
			p.advance()
			return &Assume{Cond: p.expr()}
		case "assert":
			p.advance()
			return &Assert{Cond: p.expr()}
		case "abortif":
			p.advance()
			return &AbortIf{Cond: p.expr()}
		case "return":
			p.advance()
			return p.returnOp()
		case "if":
			return p.ifOp()
		case "while":
			p.advance()
			cond := p.condition("do")
			body := p.block()
			p.closeBlock("od")
			return &While{Cond: cond, Body: body}
		case "dead":
			p.advance()
			return p.dead()
		case "print":
			p.advance()
			p.expect("(")
			return &Print{Args: p.args()}
		// Declarations come first in a procedure.
		case "decl", "enforce":
			p.fail(`"%s" must stand before the statements of the procedure`, word)
		}
	}
	p.expected("a statement")
	return nil
}

// returnOp reads the values of a return.
func (p *parser) returnOp() Op {
	if p.tok.is(";") || p.atBlockEnd() {
		return &Return{}
	}
	return &Return{Values: p.exprs()}
}

// ifOp reads an if with its branches.
func (p *parser) ifOp() Op {
	// Conditions and blocks are collected on the stack, then copied.
	var roomConds [4]Expr // for most chains
	var roomThens [4][]*Stmt
	conds, thens := roomConds[:0], roomThens[:0]
	for p.tok.is("if") && len(conds) == 0 || p.tok.is("elsif") {
		p.advance()
		conds = append(conds, p.condition("then"))
		thens = append(thens, p.block())
	}
	op := p.mem.ifs.new()
	op.Conds, op.Thens = p.mem.exprLists.copyOf(conds), p.mem.blockLists.copyOf(thens)
	if p.accept("else") {
		// Unlike the other blocks an else-part may be empty: it is printed as none.
		op.Else = p.stmts()
		p.closeBlock("fi")
	} else {
		p.closeBlock("fi", "elsif", "else")
	}
	return op
}

// condition reads a condition and the word after it. After an error in it, the block is parsed
// nevertheless.
func (p *parser) condition(word string) (e Expr) {
	reason := p.guard(func() {
		e = p.expr()
		if !p.accept(word) {
			p.expected(fmt.Sprintf(`an operator or "%s"`, word))
		}
	})
	if reason == nil {
		return e
	}
	// Look for the word in the rest of the statement.
	if _, ok := reason.(abandonStmt); ok {
		for !p.tok.is(word) && !p.tok.is(";") && !p.atBlockEnd() {
			p.advance()
		}
		if p.accept(word) {
			return &Const{}
		}
	}
	// The statement ends before the word: the begin of the block is unknown.
	panic(reason)
}
