import { enableCompileCache } from 'node:module';

enableCompileCache();
await import('./commands.ts');
