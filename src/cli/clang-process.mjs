/** Starts the process of the C compiler from its source; the build has the process itself in this file's place. */
import { register } from 'tsx/esm/api';

register();
await import('./clang-process.ts');
