import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListedStudent } from '#features/students/student.ts'
import { studentTitle } from './family-choice.ts'

const student = (id: string, name: string, ...families: [string, string | null][]) =>
  ({
    id,
    name,
    families: families.map(([connection_id, of]) => ({ connection_id, name: of })),
  }) as ListedStudent
const session = (student_id: string | null, student_name: string | null, connection_id: string | null) => ({
  student_id,
  student_name,
  connection_id,
})

test("a tutor's row names the family if two students have the same name or two families share a student", () => {
  const students = [
    student('1', 'Maya', ['a', 'Ann Whitfield']),
    student('2', 'maya ', ['b', 'Kim Park']),
    student('3', 'Leo', ['c', 'Ann Whitfield'], ['d', 'Tom Whitfield'], ['e', null]),
    student('4', 'Ida', ['f', 'Ann Whitfield']),
  ]
  const title = (...one: Parameters<typeof session>) => studentTitle(session(...one), students)
  assert.equal(title('1', 'Maya', 'a'), 'Maya (Ann Whitfield)')
  assert.equal(title('3', 'Leo', 'd'), 'Leo (Tom Whitfield)')
  assert.equal(title('3', 'Leo', 'e'), 'Leo (A family)')
  assert.equal(title('4', 'Ida', 'f'), 'Ida', 'no other student has the name')
  assert.equal(title('1', 'Maya', null), 'Maya', 'shared with nobody')
  assert.equal(title(null, null, null), 'Unknown Student')
})
