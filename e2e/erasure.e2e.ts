// When someone deletes their account, no trace of them is left on the server after 31 days.
import { expect } from '@playwright/test'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { runningDatabaseUrl } from '../src/platform/db/embedded.server.ts'
import { test } from './journey.ts'
import { arrive, mailTo, signIn } from './people.ts'
import { post, read, send } from './screens.ts'
import { runServer } from './server.ts'

const PORT = '4176'
let server: Awaited<ReturnType<typeof runServer>>

// These journeys run one at a time, because they share a server that no other journeys use.
test.describe.configure({ mode: 'default' })
test.use({ baseURL: `http://localhost:${PORT}` })
test.beforeAll(async () => {
  server = await runServer(PORT, { LOG_LEVEL: 'info' })
})
test.afterAll(async () => server.stop())

type Sql = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>

/** Runs the work with one connection, because opening one for each table takes a busy machine too long. */
async function onDatabase<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: await runningDatabaseUrl(server.dataDir) })
  await client.connect()
  const result = await work(
    async (text, values) => (await client.query<Record<string, unknown>>(text, values)).rows,
  )
  await client.end()
  return result
}

const sql = (text: string) => onDatabase((run) => run(text))

const tablesOf = (texts: string[]) =>
  onDatabase(async (run) => {
    const found: string[] = []
    const patterns = texts.map((text) => `%${text}%`)
    for (const { name } of await run(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker')",
    )) {
      const rows = await run(`select from ${String(name)} t where t::text ilike any ($1) limit 1`, [patterns])
      if (rows.length > 0) found.push(String(name))
    }
    return found
  })

/**
 * Finds every place that contains any of the given strings. Searches the tables, all files except the
 * database's own, and the server's output.
 */
async function placesOf(texts: string[]): Promise<string[]> {
  const found = await tablesOf(texts)
  const stands = (text: string) => texts.some((part) => text.toLowerCase().includes(part.toLowerCase()))
  for (const file of globSync('**/*', { cwd: server.dataDir, exclude: (name) => name === 'postgres' })) {
    const path = join(server.dataDir, file)
    if (statSync(path).isFile() && stands(readFileSync(path, 'utf8'))) found.push(file)
  }
  if (stands(server.output())) found.push('the log')
  return found
}

test('P1, P3: 31 days after the deletion, nothing about the person is left in the database, the files, the outbox or the logs', async ({
  page,
}) => {
  const person = await arrive(page)
  await send(page, 'patch', 'me', { full_name: 'Quirina Zabel' })
  await post(page, 'students', { name: 'Maya Zabel' })
  await post(page, 'tutors', { name: 'Ingrid Zabel', email: 'ingrid@zabel.example' })
  await post(page, 'invitations', { friend_name: 'Kim', friend_email: 'kim@zabel.example' })
  await mailTo(page, 'kim@zabel.example', 'Quirina Zabel invited you')
  const { id } = await read<{ id: string }>(page, 'me')
  const traces = [person.email, id, 'zabel']
  const before = await placesOf(traces)
  for (const place of ['users', 'outbox', 'mailbox'])
    expect(
      before.some((found) => found.includes(place)),
      `${place} among ${before.join()}`,
    ).toBe(true)
  expect(before).not.toContain('the log')

  await page.goto('/account')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete account' })
  await dialog.getByLabel('Type "delete" to confirm').fill('delete')
  await dialog.getByLabel('Your password').fill(person.password)
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await mailTo(page, person.email, 'was deleted')

  // Backdates the deletion request. To the server, that's the same as time passing.
  await sql("update users set deletion_asked_at = deletion_asked_at - interval '31 days'")
  await sql("select graphile_worker.add_job('purge_accounts')")
  await expect.poll(async () => (await sql('select from users')).length).toBe(0)
  // A file that is deleted while it's looked for is an error, which asks for another look.
  await expect(async () => expect(await placesOf(traces)).toEqual([])).toPass()
  expect(server.output().length).toBeGreaterThan(100)
  await signIn(page, person)
  await expect(page.getByText('Login failed')).toBeVisible()
})
