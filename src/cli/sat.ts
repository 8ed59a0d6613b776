/**
 * `euforia sat FILE.cnf`: the SAT engine on its own, with the output and exit codes of the SAT competitions:
 * `s SATISFIABLE` and 10 with the model on `v` lines, `s UNSATISFIABLE` and 20, `s UNKNOWN` and 0; an unreadable
 * file is 2, with the place of the error on standard error.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { InputError } from '../formats/diagnostic.ts';
import { type Cnf, clauseOf, readDimacs } from '../formats/dimacs/reader.ts';
import { Checkpoint } from '../sat/checkpoint.ts';
import { type Lit, toDimacs } from '../sat/literals.ts';
import { TextProof } from '../sat/proof.ts';
import { Solver } from '../sat/solver.ts';
import { Unknown } from '../sat/unknown.ts';
import { expectWritable, FileError, readText } from './files.ts';

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
const WORK_OF_A_CLAUSE = 20; // against that of reading a literal

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
  const budget = options.timeout === undefined ? {} : { deadline: Date.now() + options.timeout * 1000 };
  let cnf: Cnf;
  let proof: ProofFile | undefined;
  let solver: Solver;
  try {
    const checkpoint = new Checkpoint(budget);
    expectWritable(options.proof);
    cnf = readDimacs(readText(path), path, checkpoint);
    output.out(`c ${path}: ${cnf.varCount} variables, ${cnf.clauseCount} clauses\n`);
    proof = options.proof === undefined ? undefined : new ProofFile(options.proof);
    solver = load(cnf, proof, checkpoint);
  } catch (error) {
    if (error instanceof Unknown) {
      proof?.close();
      output.out(`c stopped: ${error.reason}\ns UNKNOWN\n`);
      return EXIT_UNKNOWN;
    }
    if (!(error instanceof InputError || error instanceof FileError)) throw error;
    output.err(`${error.message}\n`);
    return EXIT_ERROR;
  }
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
  output.out(`c stopped: ${solver.unknownReason}\ns UNKNOWN\n`);
  return EXIT_UNKNOWN;
}

function load(cnf: Cnf, proof: ProofFile | undefined, checkpoint: Checkpoint): Solver {
  const solver = new Solver();
  if (proof !== undefined) solver.setProof(proof);
  for (let v = 0; v < cnf.varCount; v++) solver.newVar();
  for (let i = 0; i < cnf.clauseCount; i++) {
    checkpoint.pass(WORK_OF_A_CLAUSE);
    solver.addClause(clauseOf(cnf, i));
  }
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
