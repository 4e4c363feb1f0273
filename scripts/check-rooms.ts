// The part of `npm run check` that prints every violation of the room rules, every file that's too long, every
// export that no other file uses, and every citation of something that isn't there.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { brokenCitations } from './citations.ts'
import { unusedExports } from './exports.ts'
import { longFiles, type SourceFile, violations } from './rooms.ts'

function read(...patterns: string[]): SourceFile[] {
  return globSync(patterns).map((path) => ({
    path: path.replaceAll('\\', '/'),
    text: readFileSync(path, 'utf8'),
  }))
}

const files = read('{src,model}/**/*.{ts,tsx}')
const documents = read('*.md', 'docs/**/*.md')
const sources = read(
  '{src,model,db,e2e,scripts,proofs,bench}/**/*.{ts,tsx,mjs,sql,css}',
  'deploy/*',
  '*.{html,ts,yaml}',
  'Containerfile',
)
// The tests of this rule cite what isn't there.
const citing = sources.filter(({ path }) => path !== 'scripts/citations.test.ts')
const found = [
  ...violations(files),
  ...longFiles(sources),
  ...unusedExports(sources.filter(({ path }) => /\.(tsx?|mjs)$/.test(path))),
  ...brokenCitations(documents, citing, existsSync),
]
for (const line of found) console.error(line)
if (files.length === 0 || documents.length === 0 || found.length > 0) process.exit(1)
