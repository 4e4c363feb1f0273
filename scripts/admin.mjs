// `npm run admin -- COMMAND`: commands for the operator. They also work while a server is running.
import { prepare, root, run } from './prepare.mjs'

process.exit(run(prepare(), ['src/main/admin.ts', ...process.argv.slice(2)], { cwd: root }))
