import type { UserConsoleLog } from 'vitest';
import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** What a run found in one part of the tests: a folder of `tests/`, or a room of the product. */
interface Part {
  passed: number;
  failed: number;
  skipped: number;
  pending: number;
  milliseconds: number;
}

/** 'tests/kill/kill-upload.long.test.ts' -> 'kill', 'server/edge/http/fair-turns.test.ts' -> 'server'. */
const partOf = (file: string) => file.split('/').find((folder) => folder !== 'tests') ?? file;

/**
 * Prints, once all has run, what came of each part, how long its tests took one after the other, and
 * what they told of themselves: the seeds that repeat them, and their figures.
 */
export default class RingTable implements Reporter {
  private vitest: Vitest | undefined;
  private readonly told = new Map<string, string[]>();

  onInit(vitest: Vitest): void {
    this.vitest = vitest;
  }

  onUserConsoleLog({ taskId, content }: UserConsoleLog): void {
    const entity = taskId && this.vitest?.state.getReportedEntityById(taskId);
    if (!entity) return;
    const { relativeModuleId } = entity.type === 'module' ? entity : entity.module;
    const part = partOf(relativeModuleId);
    this.told.set(part, [...(this.told.get(part) ?? []), content.trimEnd()]);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.vitest?.config.tagsFilter?.length) return;
    const parts = new Map<string, Part>();
    for (const module of modules) {
      const name = partOf(module.relativeModuleId);
      const part = parts.get(name) ?? {
        passed: 0,
        failed: 0,
        skipped: 0,
        pending: 0,
        milliseconds: 0,
      };
      for (const test of module.children.allTests()) part[test.result().state] += 1;
      part.milliseconds += module.diagnostic().duration;
      parts.set(name, part);
    }
    const names = [...parts.keys()].sort();
    const width = Math.max(...names.map(({ length }) => length));
    console.log(`${'part'.padEnd(width)}  passed  failed  skipped  seconds`);
    for (const name of names) {
      const { passed, failed, skipped, milliseconds } = parts.get(name) as Part;
      const cells = [passed, failed, skipped, Math.round(milliseconds / 1000)];
      const figures = cells.map((cell, column) => String(cell).padStart([6, 8, 9, 9][column] ?? 0));
      console.log(`${name.padEnd(width)}  ${figures.join('')}`);
      for (const line of this.told.get(name) ?? []) console.log(line.replaceAll(/^/gm, '    '));
    }
  }
}
