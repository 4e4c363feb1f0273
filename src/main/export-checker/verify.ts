// `node verify.mjs EXPORT.zip [KEYS.json]` checks an export without the server. scripts/export-checker.ts makes verify.mjs
// from this file, and every export contains it.
import { readFileSync } from 'node:fs'
import { readKeys } from '#features/months/page-check.ts'
import type { PublishedKey } from '#features/months/signed-page.ts'
import { checkHistories } from './histories.ts'
import { PageChecker } from './pages.ts'
import { checkPapers } from './papers.ts'
import { SignOffChecker } from './sign-offs.ts'
import type { Report } from './report.ts'
import { compareFormats, rowsOf, tablesIn } from './tables.ts'
import { openZip, type Zip } from './zip.ts'

async function check(path: string, keysPath?: string): Promise<Report> {
  const report: Report = { checked: [], problems: [], notes: [] }
  try {
    await checkZip(openZip(path), report, keysPath === undefined ? undefined : await keysIn(keysPath))
  } catch (error) {
    report.problems.push(`${path} can’t be read: ${(error as Error).message}`)
  }
  return report
}

async function keysIn(path: string): Promise<PublishedKey[]> {
  const file = await readKeys(readFileSync(path, 'utf8'))
  if (!file) throw new Error(`${path} isn’t a file of keys`)
  return file.keys
}

async function checkZip(zip: Zip, report: Report, keys: PublishedKey[] | undefined): Promise<void> {
  const complain = (problem: string) => report.problems.push(problem)
  const tables = tablesIn(zip)
  for (const table of tables) await compareFormats(zip, table, complain)
  report.checked.push(`${tables.length} tables, each in two formats`)
  let side: unknown
  for await (const { kind } of rowsOf(zip, 'workspace', complain)) side = kind
  if (side !== 'family' && side !== 'practice') {
    report.notes.push('This export has only an account, without the records of a family or practice.')
    return
  }
  const pages = new PageChecker(report, keys)
  await pages.read(zip)
  const signOffs = new SignOffChecker(report)
  await signOffs.read(zip)
  await checkHistories(zip, side, report, (entry, row) => {
    pages.compare(entry, row)
    return signOffs.concerns(entry, row) ? (history) => signOffs.add(entry, row, history) : undefined
  })
  pages.finish()
  signOffs.finish()
  await checkPapers(zip, report)
}

const [path, keysPath] = process.argv.slice(2)
if (path === undefined) {
  console.error('Say which file to check: node verify.mjs EXPORT.zip [KEYS.json]')
  process.exitCode = 1
} else {
  const { checked, notes, problems } = await check(path, keysPath)
  for (const line of checked) console.log(`checked  ${line}`)
  for (const line of notes) console.log(`note     ${line}`)
  for (const line of problems) console.log(`WRONG    ${line}`)
  console.log(
    problems.length === 0
      ? 'Everything that can be checked is as it was written.'
      : `Problems: ${problems.length}. This export isn’t what the server wrote, or the server’s data was changed.`,
  )
  process.exitCode = problems.length === 0 ? 0 : 1
}
