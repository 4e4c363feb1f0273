// The part of `npm run check` that prints every violation of the room rules.
import { globSync, readFileSync } from 'node:fs'
import { violations } from './rooms.ts'

const files = globSync('{src,model}/**/*.{ts,tsx}').map((path) => ({
  path: path.replaceAll('\\', '/'),
  text: readFileSync(path, 'utf8'),
}))
const found = violations(files)
for (const line of found) console.error(line)
if (files.length === 0 || found.length > 0) process.exit(1)
