// `node proofs/rolling-restarts.mjs [haproxy|nginx]`: runs two servers behind each load balancer (or just
// the given one), configured from deploy/. Restarts each server four times, in turn, while people log
// sessions. Exits with 1 if any call was lost.
import { prepare, run } from '../scripts/prepare.mjs'

process.exit(run(prepare({ isForTests: true }), ['proofs/rolling-restarts.ts', ...process.argv.slice(2)]))
