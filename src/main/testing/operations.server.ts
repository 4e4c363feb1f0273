// Every operation in the OpenAPI document, with people of every role and valid input, for tests that call all of
// them.
import { grantAdmin } from '#features/admin/queries.server.ts'
import { type Caller, PASSWORD, type TestServer } from '../testing.server.ts'

export interface Schema {
  type?: string | string[]
  format?: string
  enum?: string[]
  const?: unknown
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

export interface Operation {
  method: string
  path: string
  'x-roles': string | string[]
  parameters: { name: string; in: string; required?: boolean; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

export interface Everything {
  /** Deletions come last, so that the other operations can still find their rows. */
  operations: Operation[]
  /** Someone who may call an operation, signed in, and their role. */
  callerFor(operation: Operation): Promise<[Caller, string]>
  /** The operation's path with the id of a row that the role can use. */
  pathOf(operation: Operation, role: string): string
  /** A valid value for a field of this name. */
  exampleFor(name: string, schema: Schema, role: string): unknown
  /** A valid request body. */
  exampleOf(schema: Schema, role: string): Record<string, unknown>
}

/** Creates one account per role, with a child, a tutor, a session and a schedule if the role can have them. */
export async function everyOperation(server: TestServer): Promise<Everything> {
  const people: Record<string, Caller> = {}
  const ids: Record<string, Record<string, string>> = {}
  for (const role of ['parent', 'tutor', 'admin'] as const) {
    const person = await server.aUser(role === 'parent' ? 'parent' : 'tutor')
    if (role === 'admin') await server.db.asSystem((tx) => grantAdmin(tx, person.id))
    people[role] = person
    ids[role] = { ...(await rowsOf(person, role)), people: (await server.aUser()).id }
  }
  const { paths } = (await people.parent!.call('GET', '/api/openapi.json')).body as unknown as {
    paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>>
  }
  const listed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      ...operation,
    })),
  )
  const isDelete = ({ method }: { method: string }) => Number(method === 'DELETE')
  const exampleOf = (schema: Schema, role: string) =>
    Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, own]) => [name, exampleFor(name, own, role)]),
    )
  const exampleFor = (name: string, schema: Schema, role: string): unknown => {
    const own = ids[role] ?? {}
    if (schema.anyOf) return exampleFor(name, schema.anyOf[0]!, role)
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return schema.enum[0]
    if (schema.properties) return exampleOf(schema, role)
    if (schema.items) return [exampleFor(name, schema.items, role)]
    const known: Record<string, unknown> = {
      student_id: own.students,
      tutor_id: own.tutors,
      ...KNOWN,
    }
    if (name in known) return known[name]
    if (/date|from|to$|today|until/.test(name)) return '2026-01-05'
    if (schema.format === 'uuid') return own.sessions
    return (
      { string: 'x'.repeat(24), number: 1, integer: 1, boolean: true }[[schema.type].flat()[0] ?? ''] ?? 1
    )
  }
  return {
    operations: listed.toSorted((one, other) => isDelete(one) - isDelete(other)),
    exampleFor,
    exampleOf,
    async callerFor(operation) {
      const roles = [operation['x-roles']].flat()
      const role = roles.find((one) => one in people) ?? 'parent'
      const person = people[role]!
      if ((await person.call('GET', '/api/auth/session')).status !== 200)
        await person.call('POST', '/api/auth/sign-in', { email: person.email, password: PASSWORD })
      return [person, role]
    },
    pathOf: ({ path }, role) =>
      path.replace(
        '{id}',
        ids[role]?.[path.replace('/admin', '').split('/')[3] ?? ''] ?? '11111111-1111-4111-8111-111111111111',
      ),
  }
}

const KNOWN = {
  email: 'somebody@example.com',
  friend_email: 'friend@example.com',
  password: PASSWORD,
  current_password: PASSWORD,
  start_time: '16:00',
  month: '2026-01',
  amount: 10,
}

async function rowsOf(person: Caller, role: string): Promise<Record<string, string>> {
  const made = async (path: string, body: object) =>
    String((await person.call('POST', `/api/v1/${path}`, body)).body.id)
  const student_id = await made('students', { name: 'Maya' })
  const tutor_id =
    role === 'parent'
      ? await made('tutors', { name: 'Ingrid', hourly_rate: 45, email: 'ingrid@example.com' })
      : String(
          ((await person.call('GET', '/api/v1/tutors')).body.tutors as { id: string }[] | undefined)?.[0]?.id,
        )
  const lesson = { student_id, tutor_id, duration: 1 }
  return {
    students: student_id,
    tutors: tutor_id,
    sessions: await made('sessions', { ...lesson, date: '2026-01-05' }),
    schedules: await made('schedules', {
      ...lesson,
      day_of_week: 1,
      start_time: '16:00',
      start_date: '2026-01-05',
    }),
    charges: await made('charges', {
      ...(role === 'parent' ? { tutor_id } : { student_id }),
      date: '2026-01-05',
      amount: 5,
    }),
    payments: await made('payments', {
      ...(role === 'parent' ? { tutor_id } : { student_id }),
      date: '2026-01-05',
      amount: 10,
    }),
  }
}
