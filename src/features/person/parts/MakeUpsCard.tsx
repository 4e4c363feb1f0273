import { useId } from 'react'
import { useMakeUps } from '#features/terms/client.web.ts'
import { MakeUpList } from '#features/terms/MakeUpList.tsx'
import { isComing } from '#platform/query.web.ts'
import { ListRetry } from '#platform/ui/ListField.tsx'
import type { Who } from '../lesson-days.ts'

/** The make-ups that are owed to or by a person, if there are any. */
export function MakeUpsCard({ who }: { who: Who }) {
  const id = useId()
  const list = useMakeUps()
  const own = list.data?.make_ups.filter((one) =>
    'tutor_id' in who ? one.tutor_id === who.tutor_id : one.student_id === who.student_id,
  )
  // What's below waits for it.
  if (isComing(list)) return <div hidden aria-busy="true" />
  if (!list.isEnabled || own?.length === 0) return null
  return (
    <section className="card grid gap-2 px-5 py-4" aria-labelledby={id}>
      <h2 id={id} className="k">
        Make-ups
      </h2>
      {own ? <MakeUpList makeUps={own} /> : <ListRetry list={list} plural="make-ups" />}
    </section>
  )
}
