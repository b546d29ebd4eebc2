import { publishableKey } from '../tests/factories/factories.ts';
import { openFolder } from './open-folder.ts';
import { openShop, POPULAR } from './seed-links.ts';
import { sendRequests } from './send-requests.ts';
import { startPadlink } from './start-padlink.ts';
import { startBareServer } from './start-bare-server.ts';
import { cpuSeconds } from './cpu-seconds.ts';
import { execSync } from 'node:child_process';
const which = process.argv[2]!;
using folder = openFolder();
await using padlink = await startPadlink(folder.path, process.env.PROF ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=/tmp/prof/${which} --cpu-prof-interval=200` } : {});
const { ids } = await openShop(padlink, folder.path);
const key = await publishableKey(padlink);
const ask = (query: string, variables = {}) => ({ path: '/graphql', method: 'POST' as const, headers: { ...key, 'content-type': 'application/json' } as any, body: JSON.stringify({ query, variables }) });
const ONE = 'query ($id: ID!) { getPaywallLink(id: $id) { id price title } }';
const FIFTY = 'query { listPaywallLinks(limit: 50) { items { id price title } nextToken } }';
const reqs = which === 'id' ? ids.map((id) => ask(ONE, { id })) : which === 'list' ? [ask(FIFTY)] : ids.slice(0, POPULAR).map((id) => ({ path: `/p/${id}` }));
await using bare = await startBareServer(which === 'kept' ? 44624 : 0);
const bareReqs = reqs.map((r: any) => ({ ...r, path: which === 'kept' ? '/html' : '/json' }));
await sendRequests(padlink.origin, reqs); await sendRequests(bare.origin, bareReqs);
const out: number[][] = [];
for (let i = 0; i < Number(process.env.ROUNDS ?? 5); i++) {
  const r: number[] = [];
  for (const [s, q] of [[bare, bareReqs], [padlink, reqs]] as const) { const c = cpuSeconds(s.pid)!; const t = performance.now(); const n = await sendRequests(s.origin, q as any); r.push(n / (performance.now() - t) * 1e3, (cpuSeconds(s.pid)! - c) / n * 1e6); }
  out.push(r);
}
const med = (a: number[]) => a.toSorted((x, y) => x - y)[a.length >> 1]!;
console.log(which, 'ratio', med(out.map((r) => r[2]! / r[0]!)).toFixed(3), 'cpu ratio', med(out.map((r) => r[1]! / r[3]!)).toFixed(3), 'cpu us', med(out.map((r) => r[3]!)).toFixed(1), 'bare', med(out.map((r) => r[1]!)).toFixed(1));
