import { type ComponentType, useState } from 'react'
import { useCanAddPeople, useSeesAmounts } from '#features/accounts/client.web.ts'
import { PeoplePage } from '#features/people/PeoplePage.tsx'
import { PeopleTable } from '#features/people/PeopleTable.tsx'
import { PersonButtons } from '#features/people/PersonButtons.tsx'
import { paths, personPage } from '#features/site/paths.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { useMoney } from '#platform/ui/money.web.ts'
import type { RowActions } from '#platform/ui/RowMenu.tsx'
import { tutorCalls, useTutors } from './client.web.ts'
import { Email, Phone } from './ContactRow.tsx'
import { DELETION, type Tutor } from './tutor.ts'
import { TutorForm } from './TutorForm.tsx'

interface TutorsPageProps {
  /** Shows whether a tutor confirms sessions and, if not, how to ask them to. */
  Connection: ComponentType<{ tutor: Tutor }>
  /** A tutor's balance, and the last and next lesson. */
  Lines: ComponentType<{ tutor: Tutor }>
  /** The menu items for a tutor's connection. */
  useActions: () => RowActions<Tutor>
  /** When a tutor with an email address has been added, offers to send them a connection request. */
  Offer: ComponentType<{ tutor: Tutor; onClose: () => void }>
  /** True while the connections are loading. */
  isLoading: boolean
  /** Explains what happens to a connection if the tutor is deleted. */
  useAfter: () => (tutor: Tutor) => string | undefined
}

export default function TutorsPage({
  Connection,
  Lines,
  useActions,
  Offer,
  isLoading,
  useAfter,
}: TutorsPageProps) {
  const money = useMoney()
  const canWrite = useCanAddPeople()
  const seesAmounts = useSeesAmounts()
  const { actionsFor, dialog } = useActions()
  const [added, setAdded] = useState<Tutor>()
  const rate = ({ hourly_rate: rate }: Tutor) => (rate === null ? '' : money(rate))
  return (
    <>
      <PeoplePage<Tutor>
        noun="Tutor"
        title="Tutors"
        emptyTitle="No tutors added yet"
        emptyLine="Add a tutor and their hourly rate to have amounts calculated for you"
        usePeople={useTutors}
        calls={tutorCalls}
        canAdd={canWrite}
        // A connection makes a tutor's row taller, so the list isn't shown until the connections have loaded.
        isAwaited={isLoading}
        placeholders={3}
        form={(tutor, close, leadOn) => (
          <TutorForm
            key={tutor?.id ?? 'new'}
            tutor={tutor}
            onAdded={(one) => {
              setAdded(one)
              // The offer to ask this tutor is here.
              if (!one.email) leadOn()
            }}
            onClose={close}
          />
        )}
        next={paths.addSession}
        formPlace="in the page"
        rows={(tutors, buttonsOf, isArchived) => (
          <PeopleTable
            people={tutors}
            label={isArchived ? 'Archived tutors' : 'Tutors'}
            columns={[
              { key: 'email', header: 'Email' },
              { key: 'phone', header: 'Phone' },
              ...(seesAmounts ? [{ key: 'rate' as const, header: 'Rate/Hour', numeric: true }] : []),
              { key: 'subjects', header: 'Subjects' },
            ]}
            cells={(tutor) => ({
              email: <Email tutor={tutor} />,
              phone: <Phone tutor={tutor} />,
              rate: rate(tutor),
              subjects: <Subjects tutor={tutor} />,
            })}
            pageOf={({ id }) => personPage('tutor', id)}
            lines={(tutor) => <Lines tutor={tutor} />}
            belowName={(tutor) => <Connection tutor={tutor} />}
            details={(tutor) => (
              <>
                {tutor.hourly_rate !== null && (
                  <p className="num mt-0.5 font-semibold">
                    {rate(tutor)}
                    <span className="font-normal text-ink-2">/hour</span>
                  </p>
                )}
                {(tutor.email || tutor.phone) && (
                  <p className="flex flex-wrap gap-x-4 text-small">
                    <Email tutor={tutor} />
                    <Phone tutor={tutor} />
                  </p>
                )}
                {tutor.subjects.length > 0 && (
                  <div className="mt-2">
                    <Subjects tutor={tutor} />
                  </div>
                )}
                <Connection tutor={tutor} />
              </>
            )}
            buttons={
              canWrite
                ? (tutor) => <PersonButtons {...buttonsOf(tutor)} actions={actionsFor(tutor)} />
                : undefined
            }
          />
        )}
        deletion={{ ...DELETION, useAfter }}
      >
        {added?.email && <Offer tutor={added} onClose={() => setAdded(undefined)} />}
      </PeoplePage>
      {dialog}
    </>
  )
}

function Subjects({ tutor: { subjects } }: { tutor: Tutor }) {
  return (
    <span className="flex flex-wrap gap-1.5">
      {subjects.map((subject) => (
        <Badge key={subject}>{subject}</Badge>
      ))}
    </span>
  )
}
