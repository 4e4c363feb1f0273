// A family for tests of the export and of deletion.
import type { Caller, TestServer } from '../testing.server.ts'

/** A family with data in every product table, and a name that appears nowhere else. */
export async function aFullAccount(
  server: TestServer,
): Promise<{ user: Caller; child: string; tutor: string }> {
  const user = await server.aUser()
  await user.call('PATCH', '/api/v1/me', { full_name: 'Quirina Zabel' })
  const child = String(
    (
      await user.call('POST', '/api/v1/students', {
        name: '=Maya Zabel',
        notes: '@home, "quoted"\nsecond line',
      })
    ).body.id,
  )
  const tutor = String(
    (
      await user.call(
        'POST',
        '/api/v1/tutors',
        { name: 'Ingrid', hourly_rate: '45.55', subjects: ['Algebra', 'Reading'] },
        { 'idempotency-key': `tutor-${user.id}` },
      )
    ).body.id,
  )
  for (const duration of [1.5, 0.25])
    await user.call('POST', '/api/v1/sessions', {
      student_id: child,
      tutor_id: tutor,
      date: '2026-11-20',
      duration,
    })
  await user.call('POST', '/api/v1/schedules', {
    student_id: child,
    tutor_id: tutor,
    day_of_week: 2,
    start_time: '16:30',
    duration: 1,
    frequency: 'weekly',
    start_date: '2026-11-24',
  })
  return { user, child, tutor }
}
