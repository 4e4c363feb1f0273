// `npm run admin -- COMMAND`: the operator's commands, also beside a running server.
import { prepare, root, run } from './prepare.mjs'

process.exit(run(prepare(), ['src/main/admin.ts', ...process.argv.slice(2)], { cwd: root }))
