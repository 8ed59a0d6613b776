/**
 * Small systems in which much hangs on what the concrete solver does, each on one thing above all. Where that is done wrong,
 * a violation is overlooked, or steps are taken that are none.
 */
export interface Probed {
  readonly text: string;
  /** Is it known to be unsafe? The states of the others are so few that they can be tried out. */
  readonly isUnsafe?: true;
}

export const SYSTEMS: Readonly<Record<string, Probed>> = {
  // The next state is said by an equation that is to be solved.
  'a sum': {
    text: `
      (declare-const x (_ BitVec 4)) (declare-const x.next (_ BitVec 4))
      (assert (! (= x #x0) :named init)) (assert (! (= (bvadd x.next #x3) x) :named trans))
      (assert (! (not (= x #x5)) :named property))`,
  },
  'an odd factor': {
    text: `
      (declare-const x (_ BitVec 4)) (declare-const x.next (_ BitVec 4))
      (assert (! (= x #x1) :named init)) (assert (! (= (bvmul #x3 x.next) x) :named trans))
      (assert (! (not (= x #x9)) :named property))`,
  },
  'two halves': {
    text: `
      (declare-const a (_ BitVec 2)) (declare-const a.next (_ BitVec 2))
      (declare-const b (_ BitVec 2)) (declare-const b.next (_ BitVec 2))
      (assert (! (and (= a #b00) (= b #b01)) :named init))
      (assert (! (= (concat a.next b.next) (bvadd (concat b a) #x1)) :named trans))
      (assert (! (not (= a #b11)) :named property))`,
  },
  // Some bits are given, those between them are free.
  'bits between others': {
    text: `
      (declare-const x (_ BitVec 5)) (declare-const x.next (_ BitVec 5))
      (declare-const y (_ BitVec 1)) (declare-const y.next (_ BitVec 1))
      (assert (! (and (= x #b00000) (= y #b1)) :named init))
      (assert (! (and (= ((_ extract 2 2) x.next) y) (= y.next y)) :named trans))
      (assert (! (not (= x #b10101)) :named property))`,
  },
  'bits in order': {
    text: `
      (declare-const x (_ BitVec 4)) (declare-const x.next (_ BitVec 4))
      (declare-const y (_ BitVec 2)) (declare-const y.next (_ BitVec 2))
      (assert (! (and (= x #x0) (= y #b01)) :named init))
      (assert (! (and (= ((_ extract 1 0) x.next) y) (= ((_ extract 3 2) x.next) #b10) (= y.next y)) :named trans))
      (assert (! (not (= x #b1001)) :named property))`,
  },
  // Polynomials: twice a product and two may be zero, a square is no factor, the complement is one less than the negation.
  'an even polynomial': {
    text: `
      (declare-const a (_ BitVec 4)) (declare-const a.next (_ BitVec 4)) (declare-const in (_ BitVec 4))
      (assert (! (= a #x1) :named init)) (assert (! (= a.next (bvadd a #x2)) :named trans))
      (assert (! (not (= (bvadd (bvmul #x2 (bvmul a in)) #x2) #x0)) :named property))`,
  },
  'a square': {
    text: `
      (declare-const a (_ BitVec 4)) (declare-const a.next (_ BitVec 4)) (declare-const in (_ BitVec 4))
      (assert (! (= a #x1) :named init)) (assert (! (= a.next in) :named trans))
      (assert (! (= (bvmul a a) a) :named property))`,
  },
  'a complement': {
    text: `
      (declare-const a (_ BitVec 3)) (declare-const a.next (_ BitVec 3)) (declare-const in (_ BitVec 3))
      (assert (! (not (= a #b000)) :named init)) (assert (! (= a.next (bvadd a in)) :named trans))
      (assert (! (not (= (bvadd (bvmul a in) (bvnot (bvadd (bvmul a in) #b001))) #b110)) :named property))`,
  },
  // Arrays: what is written here is not read there; a choice; arrays that differ.
  'a write': {
    text: `
      (declare-const m (Array (_ BitVec 2) (_ BitVec 1))) (declare-const m.next (Array (_ BitVec 2) (_ BitVec 1)))
      (declare-const at (_ BitVec 2)) (declare-const x (_ BitVec 1)) (declare-const x.next (_ BitVec 1))
      (assert (! (and (= x #b0) (= (select m #b01) #b0)) :named init))
      (assert (! (and (= m.next (store m at #b1)) (= x.next (select (store m at #b1) #b01))) :named trans))
      (assert (! (= x #b0) :named property))`,
  },
  'a choice of arrays': {
    text: `
      (declare-const m (Array (_ BitVec 16) (_ BitVec 1))) (declare-const m.next (Array (_ BitVec 16) (_ BitVec 1)))
      (declare-const n (Array (_ BitVec 16) (_ BitVec 1))) (declare-const n.next (Array (_ BitVec 16) (_ BitVec 1)))
      (declare-const at (_ BitVec 16)) (declare-const p Bool) (declare-const q Bool)
      (declare-const x (_ BitVec 5)) (declare-const x.next (_ BitVec 5))
      (assert (! (and (= n m) (= x #b00001)) :named init))
      (assert (! (and (= m.next m) (= n.next (store n at #b1)) (= x.next (bvadd (bvmul #b00101 x) #b00011))) :named trans))
      (assert (! (not (and (= x #b00000) (= (select (ite p m n) at) #b1) (= (select (ite q m n) at) #b0))) :named property))`,
    isUnsafe: true,
  },
  'different arrays': {
    text: `
      (declare-const m (Array (_ BitVec 1) (_ BitVec 1))) (declare-const m.next (Array (_ BitVec 1) (_ BitVec 1)))
      (declare-const n (Array (_ BitVec 1) (_ BitVec 1))) (declare-const n.next (Array (_ BitVec 1) (_ BitVec 1)))
      (declare-const at (_ BitVec 1)) (declare-const x (_ BitVec 1))
      (assert (! (= m n) :named init))
      (assert (! (and (= m.next (store m at x)) (= n.next n)) :named trans))
      (assert (! (or (= m n) (not (= (select m #b0) (select n #b0)))) :named property))`,
  },
  // Rules of the rewriter.
  'all bits turned': {
    text: `
      (declare-const x (_ BitVec 3)) (declare-const x.next (_ BitVec 3))
      (assert (! (= x #b000) :named init)) (assert (! (= x.next (bvxor x #b111)) :named trans))
      (assert (! (not (= x #b111)) :named property))`,
  },
  'the largest number': {
    text: `
      (declare-const x (_ BitVec 3)) (declare-const x.next (_ BitVec 3)) (declare-const in (_ BitVec 3))
      (assert (! (= x #b000) :named init)) (assert (! (= x.next in) :named trans))
      (assert (! (bvult x #b111) :named property))`,
  },
  // Gates: conjunctions within conjunctions, carries, signs.
  'a part that is left': {
    text: `
      (declare-const a (_ BitVec 2)) (declare-const a.next (_ BitVec 2)) (declare-const b (_ BitVec 2))
      (assert (! (= a #b00) :named init)) (assert (! (= a.next (bvadd a b)) :named trans))
      (assert (! (= (bvand a (bvnot (bvand a b))) #b00) :named property))`,
  },
  'two parts that are left': {
    text: `
      (declare-const a (_ BitVec 2)) (declare-const a.next (_ BitVec 2)) (declare-const b (_ BitVec 2)) (declare-const c (_ BitVec 2))
      (assert (! (= a #b00) :named init)) (assert (! (= a.next (bvadd a b)) :named trans))
      (assert (! (= (bvand (bvand (bvnot (bvand a b)) (bvnot (bvand a c))) a) #b00) :named property))`,
  },
  'a carry': {
    text: `
      (declare-const x (_ BitVec 3)) (declare-const x.next (_ BitVec 3)) (declare-const in (_ BitVec 3))
      (assert (! (= x #b000) :named init)) (assert (! (= x.next in) :named trans))
      (assert (! (not (and (bvult x #b010) (bvult in #b100) (bvult #b011 (bvadd x in)))) :named property))`,
  },
  'rows of a product': {
    text: `
      (declare-const a (_ BitVec 3)) (declare-const a.next (_ BitVec 3)) (declare-const in (_ BitVec 3))
      (assert (! (= a #b000) :named init)) (assert (! (= a.next in) :named trans))
      (assert (! (not (and (bvult #b100 a) (bvult a #b110) (bvult #b100 in) (bvult in #b110) (= (bvmul a in) #b001))) :named property))`,
  },
  'two signs': {
    text: `
      (declare-const x (_ BitVec 3)) (declare-const x.next (_ BitVec 3)) (declare-const in (_ BitVec 3))
      (assert (! (= x #b000) :named init)) (assert (! (= x.next (ite (bvslt in x) in x)) :named trans))
      (assert (! (bvult x #b100) :named property))`,
  },
  'more bits of one sign': {
    text: `
      (declare-const a (_ BitVec 2)) (declare-const a.next (_ BitVec 2)) (declare-const in (_ BitVec 2))
      (assert (! (= a #b01) :named init)) (assert (! (= a.next in) :named trans))
      (assert (! (not (bvult #b1101 (bvadd ((_ sign_extend 2) a) ((_ sign_extend 2) in)))) :named property))`,
  },
  // Division by zero: all bits are one.
  'a division by zero': {
    text: `
      (declare-const x (_ BitVec 3)) (declare-const x.next (_ BitVec 3)) (declare-const in (_ BitVec 3))
      (assert (! (= x #b000) :named init))
      (assert (! (= x.next (ite (= in #b011) (bvudiv in x) x)) :named trans))
      (assert (! (not (= x #b111)) :named property))`,
  },
  // A product so wide that its circuit is not built: three and two are six, though three is odd.
  'a wide product': {
    text: `
      (declare-const go Bool) (declare-const go.next Bool) (declare-const a (_ BitVec 40)) (declare-const b (_ BitVec 40))
      (assert (! (not go) :named init)) (assert (! go.next :named trans))
      (assert (! (not (and go (= (bvmul a b) (_ bv6 40)) (bvult a (_ bv4 40)) (bvult b (_ bv4 40)))) :named property))`,
    isUnsafe: true,
  },
};
