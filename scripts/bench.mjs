// `npm run bench`: measures requests per second and compares each result with a reference from the same run.
import { prepare, root, run } from './prepare.mjs'

process.exit(run(prepare({ isForTests: true }), ['bench/bench.ts', ...process.argv.slice(2)], { cwd: root }))
