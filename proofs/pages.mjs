// `node proofs/pages.mjs [--genuine 1000 --damaged 1000]`: makes pages of closed months and damages them, and has the checker in
// Python tell them apart. With --vectors, it writes the test vectors of docs/page-format.md again instead.
import { prepare, run } from '../scripts/prepare.mjs'

process.exit(run(prepare({ isForTests: true }), ['proofs/pages.ts', ...process.argv.slice(2)]))
