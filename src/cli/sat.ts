/**
 * `euforia sat FILE.cnf`: the SAT engine on its own, with the output and exit codes of the SAT competitions:
 * `s SATISFIABLE` and 10 with the model on `v` lines, `s UNSATISFIABLE` and 20, `s UNKNOWN` and 0; an unreadable
 * file is 2, with the place of the error on standard error.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { InputError } from '../input/diagnostic.ts';
import { type Cnf, clauseOf, readDimacs } from '../input/dimacs.ts';
import { type Lit, toDimacs } from '../sat/literals.ts';
import { TextProof } from '../sat/proof.ts';
import { Solver } from '../sat/solver.ts';

export interface SatOptions {
  proof?: string | undefined; // write a DRUP proof to this file
  timeout?: number | undefined; // give up after this many seconds
}

/** Where the output goes; the tests put their own here. */
export interface SatOutput {
  out(text: string): void;
  err(text: string): void;
}

const EXIT_SATISFIABLE = 10;
const EXIT_UNSATISFIABLE = 20;
const EXIT_UNKNOWN = 0;
const EXIT_ERROR = 2;
const LINE_WIDTH = 78;
const PROOF_CHUNK = 10_000; // lines

const STANDARD_OUTPUT: SatOutput = {
  out: text => void process.stdout.write(text),
  err: text => void process.stderr.write(text),
};

/** Runs the command and returns its exit code. */
export function satCommand(
  path: string,
  options: SatOptions = {},
  output: SatOutput = STANDARD_OUTPUT,
): number {
  const start = Date.now();
  let cnf: Cnf;
  try {
    cnf = readDimacs(readFileSync(path, 'utf8'), path);
  } catch (error) {
    if (error instanceof InputError) output.err(`${error.message}\n`);
    else output.err(`${path}: ${error instanceof Error ? error.message : String(error)}\n`);
    return EXIT_ERROR;
  }
  output.out(`c ${path}: ${cnf.varCount} variables, ${cnf.clauseCount} clauses\n`);
  let proof: ProofFile | undefined;
  try {
    if (options.proof !== undefined) proof = new ProofFile(options.proof);
  } catch (error) {
    output.err(`${options.proof}: ${error instanceof Error ? error.message : String(error)}\n`);
    return EXIT_ERROR;
  }
  const solver = load(cnf, proof);
  const budget = options.timeout === undefined ? undefined : { deadline: start + options.timeout * 1000 };
  const result = solver.solve([], budget);
  proof?.close();
  const { conflicts, decisions, propagations } = solver.stats;
  output.out(`c ${conflicts} conflicts, ${decisions} decisions, ${propagations} propagations\n`);
  if (result === 'sat') {
    output.out(`s SATISFIABLE\n${modelLines(solver, cnf.varCount)}`);
    return EXIT_SATISFIABLE;
  }
  if (result === 'unsat') {
    output.out('s UNSATISFIABLE\n');
    return EXIT_UNSATISFIABLE;
  }
  output.out(`c stopped: ${solver.interruptReason}\ns UNKNOWN\n`);
  return EXIT_UNKNOWN;
}

function load(cnf: Cnf, proof: ProofFile | undefined): Solver {
  const solver = new Solver();
  if (proof !== undefined) solver.setProof(proof);
  for (let v = 0; v < cnf.varCount; v++) solver.newVar();
  for (let i = 0; i < cnf.clauseCount; i++) solver.addClause(clauseOf(cnf, i));
  return solver;
}

/** The model, wrapped below 80 columns and ended by 0. */
function modelLines(solver: Solver, varCount: number): string {
  let text = '';
  let line = 'v';
  for (let v = 0; v <= varCount; v++) {
    const positive = (v << 1) as Lit;
    const word =
      v === varCount ? '0' : String(toDimacs((solver.value(positive) === false ? v * 2 + 1 : v * 2) as Lit));
    if (line.length + 1 + word.length > LINE_WIDTH) {
      text += `${line}\n`;
      line = 'v';
    }
    line += ` ${word}`;
  }
  return `${text}${line}\n`;
}

/** A proof that goes to a file in pieces, so that it never has to fit into memory. */
class ProofFile extends TextProof {
  private readonly file: number;

  constructor(path: string) {
    super();
    this.file = openSync(path, 'w');
  }

  override step(...step: Parameters<TextProof['step']>): void {
    super.step(...step);
    if (this.pending >= PROOF_CHUNK) writeSync(this.file, this.take());
  }

  close(): void {
    writeSync(this.file, this.take());
    closeSync(this.file);
  }
}
