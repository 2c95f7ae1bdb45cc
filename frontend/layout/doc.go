// Package layout computes the sizes, alignments and offsets of C types as gcc does on x86 (System V
// ABI, 64 and 32 bits), since those of modernc.org/cc/v4 are wrong for packed structs, bit-fields,
// vectors and some alignments.
//
//	types := layout.New(parser, bits32, lowering)
//	types.Note(declaration)        // for each declaration, in order
//	size, known := types.SizeBytes(t)
//
// Where something asks for a layout that is not understood, nothing is known of it: no size is
// guessed.
//
//	notes.go     attributes, #pragma pack and definitions that declarations state
//	attr.go      the attributes of one declaration
//	layout.go    layouts of types but structs and unions; sizeof and _Alignof
//	record.go    layouts of structs and unions; offsets of members
//	align.go     alignments of addresses
//	count.go     lengths of arrays that a string in braces initialises
//	known.go     values that cc has computed from wrong sizes, and types that it has chosen by them
//
// What it needs of the lowering is the interface [Lowering]: values and types of expressions.
package layout
