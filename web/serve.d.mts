import type { Server } from 'node:http';

export function servePage(folder: string, port: number): Promise<Server>;
