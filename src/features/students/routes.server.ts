// Routes for students.
import type { FastifyInstance } from 'fastify'
import { columnsOf } from '#features/people/person.ts'
import { pricesByStudent } from '#features/prices/queries.server.ts'
import { done, refused } from '#kernel/outcome.ts'
import { notFound } from '#platform/http/problem.server.ts'
import { serve, WITHIN } from '#features/access/operation.server.ts'
import type { Services } from '#features/access/admission.server.ts'
import {
  deleteStudent,
  familiesOfStudents,
  insertStudent,
  insertStudents,
  listStudents,
  readStudent,
  updateStudent,
} from './queries.server.ts'
import {
  AddStudent,
  AddStudents,
  DeleteStudent,
  ListStudents,
  MAX_STUDENTS,
  ReadStudent,
  UpdateStudent,
} from './student.ts'

/** Adds the routes under /api/v1/students. */
export function addStudentRoutes(app: FastifyInstance, services: Services): void {
  serve(app, services, ListStudents, WITHIN, async ({ tx, workspace, input, caller }) => {
    const [students, families, prices] = [
      await listStudents(tx, workspace, input.archived),
      await familiesOfStudents(tx),
      caller.seesAmounts ? await pricesByStudent(tx, workspace) : undefined,
    ]
    return done(
      students.map((student) => ({
        ...student,
        families: families.get(student.id) ?? [],
        prices: prices?.get(student.id) ?? [],
      })),
    )
  })

  serve(app, services, ReadStudent, WITHIN, async ({ tx, workspace, params }) => {
    const student = await readStudent(tx, workspace, params.id)
    if (!student) throw notFound()
    return done(student)
  })

  serve(app, services, AddStudent, WITHIN, async ({ tx, user, workspace, input }) => {
    if (user.role === 'parent' && input.hourly_rate != null) return refused('no_own_rate')
    const student = await insertStudent(tx, workspace, columnsOf(input), MAX_STUDENTS)
    return student ? done(student) : refused('too_many_rows')
  })

  serve(app, services, AddStudents, WITHIN, async ({ tx, workspace, input }) => {
    const rows = input.names.map((name) => ({ name }))
    const students = await insertStudents(tx, workspace, rows, MAX_STUDENTS)
    return students ? done({ students }) : refused('too_many_rows')
  })

  serve(
    app,
    services,
    UpdateStudent,
    WITHIN,
    async ({ tx, user, workspace, params, input, expectedVersion }) => {
      if (user.role === 'parent' && input.hourly_rate != null) return refused('no_own_rate')
      const student = await updateStudent(tx, workspace, params.id, columnsOf(input), expectedVersion)
      if (student) return done(student)
      if (!(await readStudent(tx, workspace, params.id))) throw notFound()
      return refused('changed')
    },
  )

  serve(app, services, DeleteStudent, WITHIN, async ({ tx, workspace, params, expectedVersion }) => {
    if (await deleteStudent(tx, workspace, params.id, expectedVersion)) return done(undefined)
    if (!(await readStudent(tx, workspace, params.id))) throw notFound()
    return refused('changed')
  })
}
