import { useMe } from '#features/accounts/client.web.ts'
import { useConnections } from '#features/connections/client.web.ts'
import type { Student } from '#features/students/student.ts'
import type { Tutor } from '#features/tutors/tutor.ts'
import { nameOfOther } from '#features/workspaces/sides.ts'
import type { Currency } from '#kernel/money.ts'
import { late } from '#platform/ui/late.tsx'
import { useOwed } from '../client.web.ts'

const TermsCard = late(async () => (await import('#features/terms/TermsCard.tsx')).TermsCard)

/** The terms with a tutor. Not for someone who teaches their own children. */
export function TutorTerms({ tutor }: { tutor: Tutor }) {
  const connections = useConnections()
  const currencyOf = useCurrencyOf()
  if (tutor.is_self || connections.isLoading) return null
  const active = connections.data?.find((one) => one.state === 'active' && one.tutor_id === tutor.id)
  return (
    <TermsCard
      holder={{ tutor_id: tutor.id }}
      connectionId={active?.id ?? null}
      other={tutor.name}
      currency={currencyOf(active?.id)}
      isReadOnly={active?.is_read_only ?? false}
    />
  )
}

/** The terms with each family of a student, or else the practice's own. */
export function StudentTerms({ student }: { student: Student }) {
  const connections = useConnections()
  const currencyOf = useCurrencyOf()
  if (connections.isLoading) return null
  const active = (connections.data ?? []).filter(
    ({ state, people }) => state === 'active' && people.some((person) => person.student_id === student.id),
  )
  if (active.length === 0)
    return (
      <TermsCard
        holder={{ student_id: student.id }}
        connectionId={null}
        other={student.name}
        currency={currencyOf(undefined)}
      />
    )
  return active.map((one) => (
    <TermsCard
      key={one.id}
      holder={active.length > 1 ? { connection_id: one.id } : { student_id: student.id }}
      connectionId={one.id}
      other={nameOfOther(one, 'tutor')}
      currency={currencyOf(one.id)}
      isReadOnly={one.is_read_only}
    />
  ))
}

/** What the two sides share amounts in, or else the reader's own currency. */
function useCurrencyOf() {
  const { currency } = useMe()
  const owed = useOwed()
  return (connectionId: string | undefined): Currency =>
    owed.data?.accounts.find((one) => connectionId !== undefined && one.connection_id === connectionId)
      ?.currency ?? currency
}
