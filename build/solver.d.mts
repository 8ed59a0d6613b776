import type { Plugin } from 'esbuild';

export declare const withSolver: Plugin;
