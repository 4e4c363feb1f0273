import { useSide } from '#features/accounts/client.web.ts'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { UNKNOWN_TUTOR } from '#features/tutors/tutor.ts'
import { inOneLine } from '#kernel/isolate.ts'
import { makeUpsInWords } from './make-up-text.ts'
import type { MakeUp } from './make-ups.ts'

/** What's owed for each child and tutor, and what lapsed lately. */
export function MakeUpList({ makeUps }: { makeUps: readonly MakeUp[] }) {
  const reader = useSide()
  const pairs = Map.groupBy(makeUps, (one) => `${one.student_id} ${one.tutor_id} ${one.connection_id}`)
  return (
    <ul className="grid gap-2" aria-label="Make-ups">
      {[...pairs].map(([key, [first, ...others]]) => (
        <li key={key} className="wrap-anywhere">
          {first &&
            makeUpsInWords([first, ...others]).map((line) => (
              <span key={line} className="num block">
                {line}
              </span>
            ))}
          <span className="block text-small text-ink-2">
            {inOneLine([
              first?.student_name ?? UNKNOWN_STUDENT,
              ...(reader === 'tutor' ? [] : [first?.tutor_name ?? UNKNOWN_TUTOR]),
            ])}
          </span>
        </li>
      ))}
    </ul>
  )
}
