/**
 * Programs as a front end, given as LLVM's intermediate representation, which Clang makes of C:
 *
 *   text ─reader.ts─▶ module ─lower.ts─▶ a flow a function ─slice.ts, inline.ts─▶ one flow ─points-to.ts, memory.ts, execution.ts, graph.ts─▶ problem
 *
 * Runs are told in the words of the user's text as far as debug information has them.
 */
import { preprocess } from '../../core/passes/pipeline.ts';
import { flatSystem } from '../../core/problem/flat-system.ts';
import { type Edge, restrictedTo } from '../../core/problem/problem.ts';
import { FlatView } from '../../core/problem/transition-system.ts';
import { Checkpoint } from '../../sat/checkpoint.ts';
import { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { TermStore } from '../../term/store.ts';
import { certificateScripts } from '../proof/certificate.ts';
import type { Question } from '../question.ts';
import { flatRun } from '../run/flat-run.ts';
import { traceVcd } from '../run/vcd.ts';
import { compacted } from './compact.ts';
import type { Flow } from './flow.ts';
import { GraphBuilder } from './graph.ts';
import { inlined } from './inline.ts';
import { type ModuleText, readProgram } from './link.ts';
import { lowered } from './lower.ts';
import { Memory } from './memory.ts';
import type { Module } from './module.ts';
import { Operations } from './operations.ts';
import { PointsTo } from './points-to.ts';
import { sliced } from './slice.ts';
import { withStrings } from './string-library.ts';
import { choicesOf, modelText, pathText, runJson, runText } from './words.ts';

export interface LlvmOptions {
  /** The function that the program starts with. */
  readonly entry: string;
  /** Leave out what has no bearing on errors? Then runs do not tell of it either. */
  readonly slice: boolean;
}

export const DEFAULT_LLVM_OPTIONS: LlvmOptions = { entry: 'main', slice: true };

/** A program, or what matters of it, with all calls inlined. */
function programFlow(module: Module, { entry, slice }: LlvmOptions, checkpoint: Checkpoint): Flow {
  const separate = lowered(module, entry, checkpoint);
  const pointsTo = new PointsTo(separate);
  if (!slice) return compacted(inlined(compacted(separate), pointsTo, checkpoint));
  // Once before there are many copies, once when it is known more exactly what each of them accesses.
  const part = compacted(sliced(separate, pointsTo, new Memory(separate, pointsTo)));
  const whole = compacted(inlined(part, pointsTo, checkpoint));
  const pointsToOfWhole = new PointsTo(whole);
  return compacted(sliced(whole, pointsToOfWhole, new Memory(whole, pointsToOfWhole)));
}

/** `file` is what the question is called; the modules together are the program. */
export function llvmQuestion(
  terms: TermStore,
  file: string,
  modules: readonly ModuleText[],
  options: LlvmOptions,
  checkpoint: Checkpoint,
): Question {
  const module = withStrings(readProgram(file, modules, checkpoint), checkpoint);
  const flow = programFlow(module, options, checkpoint);
  const pointsTo = new PointsTo(flow);
  const memory = new Memory(flow, pointsTo);
  const rewriter = new Rewriter(terms, undefined, () => checkpoint.pass());
  const operations = new Operations(terms, rewriter);
  const graph = new GraphBuilder(flow, pointsTo, memory, operations, checkpoint).build();
  const { problem, passages } = graph;
  const properties = [{ index: 0, name: undefined }];
  const nameOf = (edge: Edge) => {
    const place = passages.get(edge)?.place;
    return place === undefined ? 'a path' : `a path to ${place.file}:${place.line}`;
  };
  return {
    file,
    format: 'llvm',
    problem,
    properties,
    traps: new Map([...passages].flatMap(([edge, { trap }]) => (trap === undefined ? [] : [[edge, trap]]))),
    choices: edge => choicesOf(graph, edge),
    words: {
      nameOf,
      proof: (_, { model }) => modelText(graph, flow, model),
      derivation: (_, derivation) => runText(graph, flow, derivation),
      path: derivation => pathText(graph, flow, derivation),
      json: (property, derivation) => runJson(graph, property, derivation),
      vcd: derivation => {
        const { system, trace } = flatRun(problem, derivation);
        return traceVcd(system, trace);
      },
      certificate: ({ index }, proof) => {
        const titleOf = (edge: Edge) => ({
          name: `edge-${problem.edges.indexOf(edge) + 1}`,
          text: `The model holds after ${nameOf(edge)}.`,
        });
        return certificateScripts(restrictedTo(problem, index), proof, titleOf);
      },
      competition: undefined,
    },
    system: () => {
      const flat = preprocess(problem, 'functional', new Checkpoint()).all.problem;
      return flatSystem(new FlatView(flat, new Rewriter(terms)), properties);
    },
  };
}
