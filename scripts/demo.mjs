// `npm run demo`: creates the demo accounts, whether or not a server is running.
import { prepare, root, run } from './prepare.mjs'

process.exit(run(prepare(), ['src/main/demo.ts'], { cwd: root }))
