// `node proofs/two-servers.mjs [JOURNEYS]`: runs the journeys through a proxy against two servers that share
// a database, and kills one of the servers midway.
import { build } from '../scripts/build.mjs'
import { environment, prepare, run } from '../scripts/prepare.mjs'

const node = prepare({ isForTests: true })
build(node)
const env = { ...environment(), SERVERS: '2', KILL_AFTER: process.env.KILL_AFTER ?? '20' }
process.exit(
  run(
    node,
    [
      'node_modules/@playwright/test/cli.js',
      'test',
      '--config',
      'e2e/playwright.config.ts',
      ...process.argv.slice(2),
    ],
    { env },
  ),
)
