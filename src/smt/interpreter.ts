/**
 * Carries out SMT-LIB scripts: the command language of section 3.9 of the standard, with its replies and
 * error replies. An error in a command is reported in a line `(error "…")` and the script goes on.
 *
 * The logics that no solver here decides are refused by name, and the script ends there: an answer about
 * another logic's formulas would be worse than none.
 */
import type { HeavyBackEnd } from '../bv/tiered.ts';
import { symmetryBreakers } from '../euf/symmetry.ts';
import { InputError } from '../formats/diagnostic.ts';
import type { Piece } from '../formats/smtlib/pieces.ts';
import { type Command, ScriptReader, type Written } from '../formats/smtlib/script.ts';
import type { Budget, Signal } from '../sat/budget.ts';
import { Checkpoint } from '../sat/checkpoint.ts';
import { isPause, Unknown } from '../sat/unknown.ts';
import { Op } from '../term/operators.ts';
import { printTerm } from '../term/printer.ts';
import { quoteSymbol, type SortId } from '../term/sort.ts';
import { type FunctionId, type TermId, TermStore } from '../term/store.ts';
import { AbstractEngine, ConcreteEngine, type Engine, type ScriptModel } from './engine.ts';

export interface InterpreterOptions {
  /** Takes what the script prints. */
  readonly write: (line: string) => void;
  /** Takes remarks about the script that are no replies. */
  readonly warn: (line: string) => void;
  /** Hears of each answer to a question. */
  readonly answered?: (answer: Answer) => void;
  /** When every further question is answered `unknown`, on the clock of `Date.now()`. */
  readonly deadline?: number | undefined;
  /** When it is up, every further question is answered `unknown`. */
  readonly signal?: Signal | undefined;
  /** Lets the event loop turn, now and then; without it a question is answered in one go. */
  readonly turn?: () => Promise<void>;
  readonly version: string;
  /** The SAT solver for hard questions about bit-vectors. */
  readonly heavy: HeavyBackEnd;
}

const ABSTRACT_LOGIC = 'QF_UF';
const SUPPORTED_LOGICS: readonly string[] = [
  ABSTRACT_LOGIC,
  'QF_AX',
  'QF_BV',
  'QF_UFBV',
  'QF_ABV',
  'QF_AUFBV',
  'ALL',
];

/** What was asserted and declared in one scope. */
interface Scope {
  readonly assertions: TermId[];
  /** Named assertions, kept as assumptions because cores are wanted, so that a core can name them. */
  readonly tracked: Tracked[];
  readonly declared: FunctionId[];
  readonly named: Written[];
  /** An assertion was in error, so that `sat` would say too much. */
  isIncomplete: boolean;
}

interface Tracked {
  readonly term: TermId;
  readonly name: string;
}

export type Answer = 'sat' | 'unsat' | 'unknown';

/** What is spent on a question between two turns of the event loop. */
const PORTION: Budget = { conflicts: 1000, propagations: 1_000_000 };

const DEFAULT_OPTIONS: Readonly<Record<string, string>> = {
  ':print-success': 'false',
  ':produce-models': 'true',
  ':produce-assignments': 'true',
  ':produce-assertions': 'true',
  ':produce-unsat-cores': 'false',
  ':produce-unsat-assumptions': 'true',
  ':produce-proofs': 'false',
  ':global-declarations': 'false',
  ':random-seed': '0',
  ':reproducible-resource-limit': '0',
  ':verbosity': '0',
  ':regular-output-channel': 'stdout',
  ':diagnostic-output-channel': 'stderr',
};

/** A command that cannot be carried out in the present state. */
class CommandError extends Error {}

export class Interpreter {
  private readonly options: InterpreterOptions;
  private terms = new TermStore();
  private logic: string | undefined; // as the script sets it
  private solver: Engine | undefined;
  private scopes: Scope[] = [newScope()];
  private settings = new Map<string, string>(Object.entries(DEFAULT_OPTIONS));
  private status: string | undefined; // what the script says the next answer should be
  private answer: Answer | undefined; // of the last check, until something is asserted
  private assumed: readonly Written[] = [];
  private model: ScriptModel | undefined;
  private readonly supported = new Set<TermId>(); // terms that are known to be in the logic
  private isAbstract = true; // all terms so far are in QF_UF
  private checks = 0; // questions asked so far
  private openReason: string | undefined; // why `sat` was not said though the solver did
  private hasErrors = false;

  constructor(options: InterpreterOptions) {
    this.options = options;
  }

  /** Runs a script to its end; false if any command was in error. */
  async run(file: string, text: string): Promise<boolean> {
    const checkpoint = new Checkpoint(this.budget);
    let reader: ScriptReader;
    try {
      reader = new ScriptReader(this.terms, file, text, checkpoint);
    } catch (error) {
      if (error instanceof Unknown) this.giveUp(1, error);
      else this.report(error, file);
      return !this.hasErrors;
    }
    try {
      await this.commandsOf(reader);
    } finally {
      this.dropEngine();
    }
    return !this.hasErrors;
  }

  /** Answers somebody who gives a script piece by piece, each of whole commands, and waits for the answers. */
  async converse(file: string, pieces: AsyncIterable<Piece>): Promise<boolean> {
    const reader = new ScriptReader(this.terms, file, '', new Checkpoint(this.budget));
    try {
      for await (const { text, line } of pieces) {
        try {
          reader.readOn(text, line);
        } catch (error) {
          if (error instanceof Unknown) this.giveUp(1, error);
          else this.report(error, `${file}:${line}`);
        }
        if (!(await this.commandsOf(reader))) break;
      }
    } finally {
      this.dropEngine();
    }
    return !this.hasErrors;
  }

  /** Carries out what has been read; false if the script ends there. */
  private async commandsOf(reader: ScriptReader): Promise<boolean> {
    for (;;) {
      try {
        const command = reader.next();
        if (command === undefined) return true;
        if (!(await this.execute(command, reader))) return false;
      } catch (error) {
        if (error instanceof Unknown) {
          this.giveUp(reader.questionsLeft, error);
          return false;
        }
        this.report(error, reader.place);
        if (reader.commandName === 'assert') this.top.isIncomplete = true;
      }
    }
  }

  /** A limit was reached before the script was read: questions that cannot be read are answered all the same. */
  private giveUp(questions: number, { reason, message }: Unknown): void {
    for (let i = 0; i < questions; i++) this.reply('unknown');
    const what = reason === 'deadline' ? 'the time limit was reached' : message;
    this.options.warn(`${what} while the script was being read`);
  }

  private reply(answer: Answer): void {
    this.options.write(answer);
    this.options.answered?.(answer);
  }

  /** The limits of the whole script. */
  private get budget(): Budget {
    const { deadline, signal } = this.options;
    return { ...(deadline === undefined ? {} : { deadline }), ...(signal === undefined ? {} : { signal }) };
  }

  private report(error: unknown, place: string): void {
    if (!(error instanceof InputError) && !(error instanceof CommandError)) throw error;
    this.hasErrors = true;
    const message = error instanceof InputError ? error.message : `${place}: ${error.message}`;
    this.options.write(`(error ${quoteString(message)})`);
  }

  /** Carries out one command; false ends the script. */
  private async execute(command: Command, reader: ScriptReader): Promise<boolean> {
    const { write } = this.options;
    switch (command.kind) {
      case 'set-logic':
        return this.setLogic(command.logic, reader.place);
      case 'set-option':
        this.setOption(command.keyword, command.value);
        return true;
      case 'set-info':
        if (command.keyword === ':status') this.status = command.value;
        break;
      case 'declaration':
        if (command.declared !== undefined) this.declare(command.declared);
        break;
      case 'assert':
        this.assert(command.term, command.name);
        this.top.named.push(...command.named);
        break;
      case 'push':
      case 'pop':
        this.scope(command.kind, command.levels);
        break;
      case 'check-sat':
        await this.check([], reader.place);
        return true;
      case 'check-sat-assuming':
        await this.check(command.terms, reader.place);
        return true;
      case 'get-model':
        this.getModel();
        return true;
      case 'get-value':
        this.getValue(command.terms);
        return true;
      case 'get-assignment':
        this.getAssignment();
        return true;
      case 'get-unsat-core':
        this.getUnsatCore();
        return true;
      case 'get-unsat-assumptions':
        this.getUnsatAssumptions();
        return true;
      case 'get-assertions':
        this.getAssertions();
        return true;
      case 'get-info':
        write(this.info(command.keyword));
        return true;
      case 'get-option':
        write(this.settings.get(command.keyword) ?? 'unsupported');
        return true;
      case 'get-proof':
        write('unsupported');
        return true;
      case 'echo':
        write(quoteString(command.text));
        return true;
      case 'reset':
        this.settings = new Map(Object.entries(DEFAULT_OPTIONS));
        this.resetAssertions();
        this.logic = undefined;
        this.isAbstract = true;
        this.checks = 0;
        this.status = undefined;
        break;
      case 'reset-assertions':
        this.resetAssertions();
        break;
      case 'exit':
        this.success();
        return false;
    }
    this.success();
    return true;
  }

  private get top(): Scope {
    return this.scopes[this.scopes.length - 1];
  }

  private assertions(): TermId[] {
    return this.scopes.flatMap(s => s.assertions);
  }

  private success(): void {
    if (this.isOn(':print-success')) this.options.write('success');
  }

  private setLogic(logic: string, place: string): boolean {
    if (SUPPORTED_LOGICS.includes(logic)) {
      this.logic = logic;
      if (logic !== 'ALL') this.isAbstract = logic === ABSTRACT_LOGIC;
      this.success();
      return true;
    }
    const message = `the logic ${logic} is not supported: supported are ${SUPPORTED_LOGICS.join(', ')}`;
    this.report(new CommandError(message), place);
    return false;
  }

  private setOption(keyword: string, value: string): void {
    if (!this.settings.has(keyword)) {
      this.options.write('unsupported');
      return;
    }
    this.settings.set(keyword, value);
    this.success();
  }

  private resetAssertions(): void {
    const declared = this.isOn(':global-declarations') ? this.scopes.flatMap(s => s.declared) : [];
    this.dropEngine();
    this.scopes = [newScope()];
    this.top.declared.push(...declared);
    this.changed();
  }

  /** An answer, its model and its core speak of what was asserted then. */
  private changed(): void {
    this.answer = undefined;
    this.openReason = undefined;
    this.model = undefined;
  }

  /** The solver for what the script has said so far; a new one is told all of it. */
  private get engine(): Engine {
    if (this.solver !== undefined) return this.solver;
    const engine = this.isAbstract
      ? new AbstractEngine(this.terms)
      : new ConcreteEngine(this.terms, this.options.heavy);
    this.solver = engine;
    this.scopes.forEach(({ assertions, tracked }, depth) => {
      if (depth > 0) engine.push();
      const assumed = new Set(tracked.map(a => a.term));
      for (const a of assertions) if (!assumed.has(a)) engine.assert(a);
    });
    return engine;
  }

  private dropEngine(): void {
    this.solver?.dispose();
    this.solver = undefined;
  }

  private assert(term: TermId, name: string | undefined): void {
    this.requireSupported(term);
    this.changed();
    if (name !== undefined && this.isOn(':produce-unsat-cores')) this.top.tracked.push({ term, name });
    else this.engine.assert(term);
    this.top.assertions.push(term);
  }

  private isOn(option: string): boolean {
    return this.settings.get(option) === 'true';
  }

  /** A symbol over bit-vectors or arrays calls for the concrete solver, since models must give it a value. */
  private declare(f: FunctionId): void {
    const { sorts } = this.terms;
    const { name, parameters, result } = this.terms.symbol(f);
    const all = [...parameters, result];
    const isNested = (s: SortId) =>
      sorts.isArray(s) && [sorts.indexSort(s), sorts.elementSort(s)].some(e => sorts.isArray(e));
    if (all.some(isNested)) {
      throw new CommandError(`the symbol ${quoteSymbol(name)} is not supported: arrays of arrays`);
    }
    this.top.declared.push(f);
    if (all.some(s => sorts.width(s) > 0 || sorts.isArray(s))) this.goConcrete();
  }

  private goConcrete(): void {
    if (!this.isAbstract || this.logic === ABSTRACT_LOGIC) return;
    this.isAbstract = false;
    this.dropEngine();
  }

  /** Refuses what is outside the logic; terms beyond QF_UF call for the concrete solver. */
  private requireSupported(term: TermId): void {
    const { terms } = this;
    const { sorts } = terms;
    for (const t of terms.postorder([term], this.supported)) {
      const sort = terms.sort(t);
      const what = () => `the term ${printTerm(terms, t).slice(0, 40)} of sort ${sorts.name(sort)}`;
      const isNested =
        sorts.isArray(sort) && [sorts.indexSort(sort), sorts.elementSort(sort)].some(s => sorts.isArray(s));
      if (isNested) throw new CommandError(`${what()} is not supported: arrays of arrays`);
      const isConcrete = sorts.width(sort) > 0 || sorts.isArray(sort) || terms.op(t) > Op.ITE;
      if (isConcrete && this.logic === ABSTRACT_LOGIC) throw new CommandError(`${what()} is outside QF_UF`);
      if (isConcrete) this.goConcrete();
      this.supported.add(t);
    }
  }

  private scope(kind: 'push' | 'pop', levels: number): void {
    this.changed();
    const { engine } = this;
    for (let i = 0; i < levels; i++) {
      if (kind === 'push') {
        this.scopes.push(newScope());
        engine.push();
      } else {
        const { declared } = this.scopes.pop() as Scope;
        if (this.isOn(':global-declarations')) this.top.declared.push(...declared);
        engine.pop();
      }
    }
  }

  private async check(assumptions: readonly Written[], place: string): Promise<void> {
    const { warn } = this.options;
    for (const { term } of assumptions) this.requireSupported(term);
    this.changed();
    this.assumed = assumptions;
    const tracked = this.scopes.flatMap(s => s.tracked);
    const terms = [...tracked.map(a => a.term), ...assumptions.map(a => a.term)];
    if (this.isAbstract && this.checks++ === 0 && terms.length === 0) terms.push(...this.breakSymmetries());
    this.answer = await this.solve(terms);
    if (this.answer === 'sat') this.checkModel(terms, place);
    if (this.answer === 'sat' && this.scopes.some(s => s.isIncomplete))
      this.leaveOpen('an assertion was in error');
    const expected = this.status;
    const contradicts = expected === 'sat' || expected === 'unsat' ? expected !== this.answer : false;
    if (contradicts && this.answer !== 'unknown') {
      warn(`${place}: warning: the answer ${this.answer} contradicts (set-info :status ${expected})`);
    }
    this.status = undefined;
    this.reply(this.answer);
  }

  /** In portions, if somebody else wants a turn. */
  private async solve(assumptions: readonly TermId[]): Promise<Answer> {
    const { engine, budget } = this;
    const { turn } = this.options;
    if (turn === undefined) return engine.solve(assumptions, budget);
    for (;;) {
      await turn();
      const answer = await engine.solve(assumptions, { ...budget, ...PORTION });
      if (answer !== 'unknown' || !isPause(engine.unknownReason)) return answer;
    }
  }

  private leaveOpen(reason: string): void {
    this.answer = 'unknown';
    this.openReason = reason;
  }

  /** A model that does not satisfy the script is never shown as one. */
  private checkModel(assumptions: readonly TermId[], place: string): void {
    this.model = this.engine.model();
    const { model, terms } = this;
    const broken = [...this.assertions(), ...assumptions].find(a => !model.isTrue(a));
    if (broken === undefined) return;
    this.leaveOpen('the model failed its check');
    const what = printTerm(terms, broken).slice(0, 80);
    this.options.warn(`${place}: internal failure: the model does not satisfy ${what}; please report this`);
  }

  /**
   * Asserts symmetry breaking clauses behind a new guard, to be assumed in this check only. Looking for them
   * walks all assertions, so only the first question of a script is worth it.
   */
  private breakSymmetries(): TermId[] {
    const { terms } = this;
    const clauses = symmetryBreakers(terms, this.assertions());
    if (clauses.length === 0) return [];
    const guard = terms.variable('symmetry', terms.sorts.bool);
    for (const clause of clauses) this.engine.assert(clause, guard);
    return [guard];
  }

  /** The model of the last answer, made when first asked for. */
  private requireModel(command: string, option: string): ScriptModel {
    if (!this.isOn(option)) throw new CommandError(`${command} needs ${option} true`);
    if (this.answer !== 'sat') throw new CommandError(`${command} needs a check-sat that was answered sat`);
    this.model ??= this.engine.model();
    return this.model;
  }

  private getModel(): void {
    const model = this.requireModel('get-model', ':produce-models');
    const definitions = this.scopes.flatMap(s => s.declared).map(f => `  ${model.definition(f)}\n`);
    this.options.write(`(\n${definitions.join('')})`);
  }

  private getValue(written: readonly Written[]): void {
    const model = this.requireModel('get-value', ':produce-models');
    const isAbstract = this.isAbstract;
    for (const { term } of written) this.requireSupported(term);
    if (isAbstract && !this.isAbstract) {
      // Bit-vectors without a variable: the model knows nothing of them, and there is nothing else to ask it about.
      this.changed();
      throw new CommandError('get-value of the first bit-vector term of a script needs another check-sat');
    }
    const pairs = written.map(({ term, source }) => `(${source} ${model.show(term)})`);
    this.options.write(`(${pairs.join('\n ')})`);
  }

  private getAssertions(): void {
    if (!this.isOn(':produce-assertions'))
      throw new CommandError('get-assertions needs :produce-assertions true');
    this.options.write(
      `(${this.assertions()
        .map(a => printTerm(this.terms, a))
        .join('\n ')})`,
    );
  }

  private getAssignment(): void {
    const model = this.requireModel('get-assignment', ':produce-assignments');
    const named = this.scopes
      .flatMap(s => s.named)
      .filter(({ term }) => this.terms.sort(term) === this.terms.sorts.bool);
    this.options.write(`(${named.map(n => `(${quoteSymbol(n.source)} ${model.isTrue(n.term)})`).join(' ')})`);
  }

  private requireCore(command: string, option: string): ReadonlySet<TermId> {
    if (!this.isOn(option)) throw new CommandError(`${command} needs ${option} true`);
    if (this.answer !== 'unsat') throw new CommandError(`${command} needs a check that was answered unsat`);
    return new Set(this.engine.core());
  }

  private getUnsatCore(): void {
    const core = this.requireCore('get-unsat-core', ':produce-unsat-cores');
    const named = this.scopes.flatMap(s => s.tracked).filter(a => core.has(a.term));
    this.options.write(`(${named.map(a => quoteSymbol(a.name)).join(' ')})`);
  }

  private getUnsatAssumptions(): void {
    const core = this.requireCore('get-unsat-assumptions', ':produce-unsat-assumptions');
    const failed = this.assumed.filter(a => core.has(a.term));
    this.options.write(`(${failed.map(a => a.source).join(' ')})`);
  }

  /** The reply to get-info. */
  private info(keyword: string): string {
    switch (keyword) {
      case ':name':
        return '(:name "euforia")';
      case ':version':
        return `(:version ${quoteString(this.options.version)})`;
      case ':authors':
        return '(:authors "the Euforia authors")';
      case ':error-behavior':
        return '(:error-behavior continued-execution)';
      case ':assertion-stack-levels':
        return `(:assertion-stack-levels ${this.scopes.length - 1})`;
      case ':reason-unknown': {
        if (this.answer !== 'unknown') throw new CommandError('the last check was not answered unknown');
        if (this.openReason !== undefined) return `(:reason-unknown ${quoteString(this.openReason)})`;
        return `(:reason-unknown ${this.engine.unknownReason === 'deadline' ? 'timeout' : 'incomplete'})`;
      }
      case ':all-statistics': {
        const rows = Object.entries(this.engine.stats).map(([name, value]) => `:${name} ${value}`);
        return `(${rows.join('\n ')})`;
      }
      default:
        return 'unsupported';
    }
  }
}

function newScope(): Scope {
  return { assertions: [], tracked: [], declared: [], named: [], isIncomplete: false };
}

function quoteString(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
