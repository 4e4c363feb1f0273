// `npm run bench`: requests per second and CPU time per request, each result compared with a reference from the
// same run, and CPU time in the browser.
import { build } from './build.mjs'
import { prepare, root, run } from './prepare.mjs'

const node = prepare({ isForTests: true })
build(node)
const results = ['bench/bench.ts', 'bench/search.ts', 'bench/browser.ts'].map((file) =>
  run(node, [file, ...process.argv.slice(2)], { cwd: root }),
)
process.exit(Math.max(...results))
