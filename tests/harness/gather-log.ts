/** Gathers what an app logs that is started with `logTo` among its overrides. */
export function gatherLog() {
  let log = '';
  const logTo = {
    write(line: string) {
      log += line;
    },
  };
  return { logTo, readLog: () => log };
}
