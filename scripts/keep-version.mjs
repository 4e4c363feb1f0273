// `npm run keep-version -- NAME [FOLDER]`: keeps a backup of a version for the test of upgrades, at each release
// (src/main/testing/kept-versions/README.md).
import { prepare, root, run } from './prepare.mjs'

const node = prepare({ isForTests: true })
process.exit(run(node, ['src/main/testing/keep-version.server.ts', ...process.argv.slice(2)], { cwd: root }))
