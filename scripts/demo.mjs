// `npm run demo`: demonstration people, beside a running server or alone.
import { prepare, root, run } from './prepare.mjs'

process.exit(run(prepare(), ['src/main/demo.ts'], { cwd: root }))
