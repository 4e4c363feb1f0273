// `node scripts/common-passwords.ts LIST`: makes the list of passwords that are refused as too common from a file
// with one password a line, the most common first (docs/decisions/0069-keys-and-passwords.md says which one).
import { readFileSync, writeFileSync } from 'node:fs'
import { LIST_FILE, recordOf, RECORD_BYTES } from '../src/features/accounts/password.server.ts'
import { passwordProblem } from '../src/features/accounts/password.ts'

const COUNT = 100_000

const passwords = new Set<string>()
for (const line of readFileSync(process.argv[2] ?? '', 'utf8').split(/\r?\n/)) {
  if (passwords.size === COUNT) break
  // Refused anyway, so it needs no place on the list.
  if (passwordProblem(line) === undefined) passwords.add(line.toLowerCase())
}
if (passwords.size < COUNT)
  throw new Error(`The list has only ${passwords.size} passwords that would be accepted.`)
const records = [...passwords].map(recordOf).sort(Buffer.compare)
writeFileSync(LIST_FILE, Buffer.concat(records))
console.log(`Wrote ${records.length} passwords, ${records.length * RECORD_BYTES} bytes.`)
