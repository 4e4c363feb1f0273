// Measures the restore drill: how long it takes for 100,000 sessions with two history entries each, and how long another
// user waits meanwhile, compared with the same calls before and after. `node bench/drill.ts`
import { chmodSync, mkdtempSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectTo } from '#platform/db/connection.server.ts'
import { runningDatabaseUrl } from '#platform/db/embedded.server.ts'
import { pause } from '#platform/timeout.server.ts'
import { aParent, startProcess } from '#main/testing/process.server.ts'
import { removeScratch } from '#main/testing/scratch.server.ts'
import { fillDatabase, MONTH } from './ground.ts'
import { percentile95, timesWhile } from './others.ts'

/** With 336 sessions each. */
const FAMILIES = 300
const ALONE_MS = 30_000

const folder = mkdtempSync(join(tmpdir(), 'tutorlog-drill-'))
chmodSync(folder, 0o711)
const dataDir = join(folder, 'data')
const server = await startProcess({ DATA_DIR: dataDir })
try {
  const parent = await aParent(server, 'measured@example.com')
  const client = await connectTo((await runningDatabaseUrl(dataDir)) ?? '')
  const { rows } = await client.query<{ id: string }>('select workspace_id as id from members')
  await fillDatabase(client, FAMILIES, rows[0]?.id ?? '')
  // Entries as each side would write them. The plan is made while the table is empty.
  await client.query('set enable_seqscan = off')
  for (const action of ['logged', 'confirmed'])
    await client.query(
      `select count(add_history(s, 'family', '${action}', '{}', null)) from sessions s where s.day < '2025-01-01'`,
    )
  await client.query('vacuum analyze')
  const read = async () => void (await (await parent.call('GET', `/api/v1/sessions?month=${MONTH}`)).text())
  const alone = () => timesWhile(pause(ALONE_MS), read)
  await alone()
  const before = await alone()
  await client.query("select graphile_worker.add_job('back_up')")
  const ended = async () => {
    for (;;) {
      const { rows: drills } = await client.query<{ seconds: number; findings: string[] }>(
        `select extract(epoch from ended_at - began_at)::float8 as seconds, findings from restore_drills where ended_at is not null`,
      )
      if (drills[0]) return drills[0]
      await pause(500)
    }
  }
  const drill = ended()
  const beside = await timesWhile(drill, read)
  const after = await alone()
  const { seconds, findings } = await drill
  const [{ count } = { count: 0 }] = (
    await client.query<{ count: number }>('select count(*)::int from sessions')
  ).rows
  await client.end()
  const usual = percentile95([...before, ...after])
  console.log(`sessions ${count}, drill ${seconds.toFixed(0)} s, findings: ${findings.join(' ') || 'none'}`)
  console.log(
    `another user's p95: ${usual.toFixed(1)} ms without, ${percentile95(beside).toFixed(1)} ms beside it, ` +
      `ratio ${(percentile95(beside) / usual).toFixed(2)} (before ${percentile95(before).toFixed(1)}, after ${percentile95(after).toFixed(1)})`,
  )
  console.log(
    `${cpus().length} cores, load ${loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')}`,
  )
} finally {
  await server.stop()
  removeScratch(folder)
}
