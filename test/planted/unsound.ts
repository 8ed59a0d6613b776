/**
 * Bugs with which the concrete solver takes what can be satisfied for impossible, in each of its rooms. Engines then learn
 * lemmas that are not valid, or overlook violations, and find proofs of what does not hold. Nothing of that may come out:
 * the check of evidence does without the concrete solver, without the rewriter and without fast evaluation, and must refuse
 * what they have spoiled.
 */
import type { Change } from './bugs.ts';

export interface UnsoundSolver extends Change {
  /** The system (systems.ts) on which what is found fails its check. */
  readonly system: string;
  /** Does the solver take the property itself, which is violated, for a valid formula? */
  readonly certifies: boolean;
}

export const UNSOUND_SOLVERS: readonly UnsoundSolver[] = [
  // ---- equations are solved wrongly ----
  {
    name: 'x + y = z is solved by x = z + y',
    file: 'src/bv/preprocess/invert.ts',
    find: 'return r.mk(Op.BVSUB, [value, other]);',
    replace: 'return r.mk(Op.BVADD, [value, other]);',
    system: 'a sum',
    certifies: false,
  },
  {
    name: 'an odd factor is its own inverse',
    file: 'src/bv/preprocess/invert.ts',
    find: 'return r.mk(Op.BVMUL, [inverseOf(terms, other), value]);',
    replace: 'return r.mk(Op.BVMUL, [other, value]);',
    system: 'an odd factor',
    certifies: false,
  },
  {
    name: 'both parts of a concatenation are the low bits',
    file: 'src/bv/preprocess/invert.ts',
    find: 'return i === 1 ? low : bits(whole - 1, whole - width);',
    replace: 'return low;',
    system: 'two halves',
    certifies: false,
  },
  // ---- slices ----
  {
    name: 'parts are put together the wrong way round',
    file: 'src/bv/preprocess/slices.ts',
    find: 'rewriter.mk(Op.CONCAT, [left, right])',
    replace: 'rewriter.mk(Op.CONCAT, [right, left])',
    system: 'bits in order',
    certifies: false,
  },
  {
    name: 'parts of one width are the same part',
    file: 'src/bv/preprocess/slices.ts',
    find: 'parts.push(this.piece(variable, width - 1, low));',
    replace: 'parts.push(this.piece(variable, width - 1 - low, 0));',
    system: 'bits between others',
    certifies: false,
  },
  // ---- polynomials ----
  {
    name: 'an even polynomial with an even constant is never zero',
    file: 'src/bv/preprocess/polynomials.ts',
    find: 'coefficient % (2n * lowest) === 0n',
    replace: 'coefficient % lowest === 0n',
    system: 'an even polynomial',
    certifies: true,
  },
  {
    name: 'the square of a variable is the variable',
    file: 'src/bv/preprocess/polynomials.ts',
    find: 'const merged = [...atoms, ...m.atoms].sort((a, b) => a - b);',
    replace: 'const merged = [...new Set([...atoms, ...m.atoms])].sort((a, b) => a - b);',
    system: 'a square',
    certifies: true,
  },
  {
    name: 'the complement is one more than the negation',
    file: 'src/bv/preprocess/polynomials.ts',
    find: 'return combined(constant(-1n, width), p, -1n, width);',
    replace: 'return combined(constant(1n, width), p, -1n, width);',
    system: 'a complement',
    certifies: true,
  },
  // ---- arrays ----
  {
    name: 'what is read over a write was there before, whatever the indices',
    file: 'src/bv/lemmas/descent.ts',
    find: 'clause.givenDifferent(access.index, write.index);',
    replace: '',
    system: 'a write',
    certifies: false,
  },
  {
    name: 'arrays hold the same, whatever makes them equal',
    file: 'src/bv/lemmas/equal-arrays.ts',
    find: 'clause.given(condition, isTrue);',
    replace: '',
    system: 'a choice of arrays',
    certifies: true,
  },
  {
    name: 'arrays that differ do so at index zero',
    file: 'src/bv/lemmas/lemmas.ts',
    find: 'const w = terms.variable(',
    replace:
      'const w = terms.bv(terms.sorts.width(terms.sorts.indexSort(terms.sort(a))), 0); terms.variable(',
    system: 'different arrays',
    certifies: true,
  },
  // ---- rewriting ----
  {
    name: 'every number is less than the largest',
    file: 'src/term/rewrite/bitvector-rules.ts',
    find: 'if (right === max) return r.not(r.mk(Op.EQ, [a, b]));',
    replace: 'if (right === max) return terms.true;',
    system: 'the largest number',
    certifies: true,
  },
  {
    name: 'turning all bits changes nothing',
    file: 'src/term/rewrite/bitvector-rules.ts',
    find: 'if (a === ones(terms, a)) return r.mk(Op.BVNOT, [b]);',
    replace: 'if (a === ones(terms, a)) return b;',
    system: 'all bits turned',
    certifies: false,
  },
  // ---- evaluation, by which the rewriter, the abstract solver and walks go ----
  {
    name: 'division by zero is zero',
    file: 'src/term/bitvector.ts',
    find: 'return b === 0 ? smallMask(w) : (a / b) >>> 0;',
    replace: 'return b === 0 ? 0 : (a / b) >>> 0;',
    system: 'a division by zero',
    certifies: false,
  },
  // ---- gates and circuits ----
  {
    name: 'x and not (x and y) is false',
    file: 'src/bv/aig.ts',
    find: 'if (other === l) return this.pair(other, r ^ 1);',
    replace: 'if (other === l) return FALSE;',
    system: 'a part that is left',
    certifies: true,
  },
  {
    name: 'not (x and y) and not (x and z) is not x',
    file: 'src/bv/aig.ts',
    find: 'if ((xl === yl && xr === (yr ^ 1)) || (xl === yr && xr === (yl ^ 1))) return xl ^ 1;',
    replace: 'if (xl === yl || xl === yr) return xl ^ 1;',
    system: 'two parts that are left',
    certifies: true,
  },
  {
    name: 'a carry is not carried on',
    file: 'src/bv/circuits.ts',
    find: 'carry = aig.or(aig.and(a[i], b[i]), aig.and(half, carry));',
    replace: 'carry = aig.and(a[i], b[i]);',
    system: 'a carry',
    certifies: true,
  },
  {
    name: 'a product has two rows',
    file: 'src/bv/circuits.ts',
    find: 'if (rows[i] === FALSE) continue;',
    replace: 'if (rows[i] === FALSE || i > 1) continue;',
    system: 'rows of a product',
    certifies: true,
  },
  {
    name: 'numbers are extended without their sign',
    file: 'src/bv/blaster.ts',
    find: 'return extended(a, width, last(a));',
    replace: 'return extended(a, width, FALSE);',
    system: 'more bits of one sign',
    certifies: true,
  },
  {
    name: 'a wide product is odd if one of its factors is',
    file: 'src/bv/abstraction.ts',
    find: 'terms.app(Op.BVAND, [lowest(a), lowest(b)])',
    replace: 'terms.app(Op.BVOR, [lowest(a), lowest(b)])',
    system: 'a wide product',
    certifies: true,
  },
];
