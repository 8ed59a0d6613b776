/**
 * A question that nobody answers soon: are there two factors, other than one, whose product is that of the primes 2³¹ − 1 and
 * 2³¹ − 19? There are, but to find them is to factor the number.
 */
const PRODUCT = (2n ** 31n - 1n) * (2n ** 31n - 19n);

export const HARD = `(declare-const found Bool) (declare-const found.next Bool)
(declare-const a (_ BitVec 32)) (declare-const b (_ BitVec 32))
(define-fun .found () Bool (! found :next found.next))
(define-fun .init () Bool (! (not found) :init true))
(define-fun product () (_ BitVec 64) (bvmul ((_ zero_extend 32) a) ((_ zero_extend 32) b)))
(define-fun .trans () Bool (! (= found.next (and (= product (_ bv${PRODUCT} 64)) (bvugt a b))) :trans true))
(define-fun none () Bool (! (not found) :invar-property 0))`;
