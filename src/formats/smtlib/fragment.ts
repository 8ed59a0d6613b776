/**
 * What is outside the supported fragment, by name. A reader that met only "unknown symbol '+'" would send
 * its user looking for a typing mistake; the truth is that integers are not supported. What is supported
 * depends on the kind of file, so each kind has its fragment.
 */
const SORTS: Readonly<Record<string, string>> = {
  Int: 'integers',
  Real: 'real numbers',
  String: 'strings',
  RegLan: 'strings',
  RoundingMode: 'floating-point numbers',
  FloatingPoint: 'floating-point numbers',
  Float16: 'floating-point numbers',
  Float32: 'floating-point numbers',
  Float64: 'floating-point numbers',
  Float128: 'floating-point numbers',
  Seq: 'sequences',
  Set: 'sets',
};

const FUNCTIONS: readonly (readonly [pattern: RegExp, theory: string])[] = [
  [/^([-+*/]|<=?|>=?|div|mod|abs|divisible|to_real|to_int|is_int)$/, 'integer and real arithmetic'],
  [/^(bv2nat|nat2bv|bv2int|int2bv|ubv_to_int|sbv_to_int|int_to_bv)$/, 'integers'],
  [/^(fp|to_fp.*|fp\..*|RNE|RNA|RTP|RTN|RTZ)$/, 'floating-point numbers'],
  [/^(str|re)\./, 'strings'],
  [/^seq\./, 'sequences'],
  [/^(forall|exists)$/, 'quantifiers'],
  [/^ltl\./, 'temporal operators'],
  [/^(lambda|match|par)$/, 'algebraic data types and lambda terms'],
];

export class Fragment {
  private readonly supported: string;

  constructor(supported: string) {
    this.supported = supported;
  }

  /** A message for a name that SMT-LIB knows and this fragment does not; nothing for an ordinary name. */
  outside(name: string): string | undefined {
    const theory = SORTS[name] ?? FUNCTIONS.find(([pattern]) => pattern.test(name))?.[1];
    return theory === undefined ? undefined : this.refusal(`'${name}' (${theory})`);
  }

  refusal(what: string): string {
    return `${what} is outside the supported fragment: supported are ${this.supported}`;
  }
}

/** Of scripts and of formulas that belong to no particular kind of file. */
export const SCRIPTS = new Fragment('Bool, bit-vectors, arrays and uninterpreted sorts, without quantifiers');

export const SYSTEMS = new Fragment(
  'transition systems over Bool, bit-vectors, arrays and uninterpreted sorts, without quantifiers',
);

export const CLAUSES = new Fragment(
  'Horn clauses over Bool, bit-vectors and arrays, with quantifiers around a clause as a whole',
);
