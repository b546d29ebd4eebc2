import { isoTime } from '../ground/lib/time.ts';
import { dropDeadJob, listJobs, retryFailedJobs } from '../ground/outbox/jobs.ts';
import type { JobTable } from '../ground/outbox/tables.ts';
import { type Commands, DONE, readFirst, readWords } from './command-line.ts';

export const USAGE = `  jobs list         shows jobs that are waiting, failing or given up
  jobs retry ID|all runs a failed job, or all of them, now
  jobs drop ID      discards a job that was given up`;

const LISTED_JOBS = 200;

export const COMMANDS: Commands = {
  async 'jobs list'({ db, out }) {
    const { waiting, failing, dead, more } = await listJobs(db, LISTED_JOBS);
    const counts = waiting.map(({ kind, jobs }) => `${jobs} ${kind}`).join(', ');
    out.log(`Waiting: ${counts || 'none'}.`);
    for (const job of failing) out.log(`Failing: ${describeJob(job)}`);
    for (const job of dead) out.log(`Given up: ${describeJob(job)}`);
    if (more) out.log(`At most ${LISTED_JOBS} of each are listed.`);
    const [failed, givenUp] = [failing, dead].map((jobs) => jobs.map(inFacts));
    return { ok: true, waiting, failing: failed, givenUp, more };
  },
  async 'jobs retry'({ db, out, words }) {
    const id = readFirst(words, 'Which job? Give its ID, as “jobs list” shows it, or all.');
    const retried = await retryFailedJobs(db, { kind: 'cli' }, id, Date.now());
    out.log(`Jobs that will run again: ${retried}.`);
    return DONE;
  },
  async 'jobs drop'({ db, out, words }) {
    const [id = ''] = readWords(words, {}).positionals;
    await dropDeadJob(db, { kind: 'cli' }, id, Date.now());
    out.log('The job was dropped.');
    return DONE;
  },
};

function describeJob({ id, kind, payload, attempts, run_at, died_at, last_error }: JobTable) {
  const time = new Date(died_at ?? run_at).toISOString();
  const when = died_at === null ? `again at ${time}` : `the last at ${time}`;
  return `${id} ${kind} ${payload}, failed tries: ${attempts}, ${when}. ${last_error}`;
}

const inFacts = ({ id, kind, payload, attempts, run_at, died_at, last_error }: JobTable) => ({
  id,
  kind,
  payload: JSON.parse(payload),
  attempts,
  lastError: last_error,
  runAt: isoTime(run_at),
  diedAt: died_at === null ? null : isoTime(died_at),
});
