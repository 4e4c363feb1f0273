import { useState } from 'react'
import { useSide } from '#features/accounts/client.web.ts'
import { useStudents } from '#features/students/client.web.ts'
import type { Student } from '#features/students/student.ts'
import { forgetDraft, keepDraft, readDraft } from '#platform/ui/draft.web.ts'
import { SelectField } from '#platform/ui/EntryField.tsx'
import { useFailure } from '#platform/ui/entry-form.web.ts'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormButtons } from '#platform/ui/FormButtons.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useAnswerConnection } from './client.web.ts'
import type { Connection } from './connection.ts'
import { nameOfOther } from '#features/workspaces/sides.ts'
import { likelyStudents, matchedTwice, pairsInWords } from './matching.ts'

interface MatchDialogProps {
  connection: Connection
  onClose: () => void
}

/** A family's name on a practice's screens. */
export function familyName(connection: Pick<Connection, 'other_name' | 'people'>): string {
  return nameOfOther(connection, 'tutor')
}

const WORDS = {
  tutor: {
    question:
      'Match these children with your students. You’ll both see what either of you logs for them. Your notes stay private.',
    none: 'None of this family’s children have had a session with you yet. They’re added to your students once their first session is logged.',
    add: (name: string) => `Add ${name} as a new student`,
    twice: 'Two children can’t be the same student',
  },
  parent: {
    question:
      'Match these students with your children. Their sessions come with everything you’ve both confirmed, ' +
      'and the tutor is added to your list. Your notes stay private.',
    none: 'No sessions are shared with you yet. Students show up in your log once their first session is added.',
    add: (name: string) => `Add ${name} as a new child`,
    twice: 'Two students can’t be the same child',
  },
}

/** Matches the other side's children or students with the reader's. Accepts the request if it's still open. */
export function MatchDialog(props: MatchDialogProps) {
  const draft = `match:${props.connection.id}`
  return (
    <FormBoundary draft={draft}>
      <MatchForm {...props} draft={draft} />
    </FormBoundary>
  )
}

function MatchForm({ connection, onClose, draft }: MatchDialogProps & { draft: string }) {
  const students = useStudents('all')
  const answer = useAnswerConnection()
  const toast = useToast()
  const { problem, fail, clear } = useFailure()
  const [chosen, setChosen] = useState<Partial<Record<string, string>>>(() => readDraft(draft) ?? {})
  const isAsked = connection.state === 'asked'
  const { people } = connection
  const side = useSide()
  const words = WORDS[side]
  const who = nameOfOther(connection, side)
  const likely = likelyStudents(people, students.data ?? [])
  const matched = Object.fromEntries(people.map(({ id }) => [id, chosen[id] ?? likely[id] ?? '']))
  const twice = matchedTwice(matched)
  const close = () => {
    forgetDraft(draft)
    onClose()
  }
  const choose = (child: string, student: string) => {
    clear()
    setChosen({ ...chosen, [child]: student })
    keepDraft(draft, { ...chosen, [child]: student })
  }
  const submit = async () => {
    if (twice.length > 0) return
    clear()
    try {
      const { pairs } = await answer.mutateAsync({
        connection,
        input: {
          ...(isAsked ? { state: 'active' as const } : {}),
          people: people.map(({ id }) => ({ id, student_id: matched[id] || null })),
        },
      })
      toast.success(isAsked ? `${who} is connected` : 'Students saved', pairsInWords(pairs))
      close()
    } catch (error) {
      fail(
        error,
        isAsked ? 'Your answer could not be saved. Please try again.' : 'Your choice could not be saved.',
      )
    }
  }
  return (
    <FormDialog
      title={
        connection.is_answered
          ? `Add your sessions with ${who}`
          : isAsked
            ? `Accept ${who}`
            : `${who}’s students`
      }
      isDirty={Object.keys(chosen).length > 0}
      onClose={close}
      problem={problem}
      footer={
        <FormButtons
          label={connection.is_answered ? 'Add them' : isAsked ? 'Accept' : 'Save'}
          isBusy={answer.isPending}
          busyText={connection.is_answered ? 'Adding...' : isAsked ? 'Accepting...' : 'Saving...'}
          blockedReason={students.isSuccess ? undefined : ''}
          onSubmit={() => void submit()}
          onCancel={close}
        />
      }
    >
      <p className="text-ink-2">{people.length > 0 ? words.question : words.none}</p>
      {students.isPending && (
        <p role="status" className="mt-3">
          Loading students...
        </p>
      )}
      <ListRetry list={students} plural="students" />
      {students.data && (
        <div className="mt-4 grid gap-4">
          {people.map((child) => (
            <SelectField
              key={child.id}
              label={child.first_name}
              value={matched[child.id] ?? ''}
              error={twice.includes(child.id) ? words.twice : undefined}
              onChange={(event) => choose(child.id, event.target.value)}
            >
              <option value="">{words.add(child.first_name)}</option>
              {offered(students.data, matched[child.id]).map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </SelectField>
          ))}
        </div>
      )}
    </FormDialog>
  )
}

/** The students to choose from: everyone who isn't archived, plus the current choice. */
function offered(students: readonly Student[], chosen: string | undefined): Student[] {
  return students.filter(({ archived, id }) => !archived || id === chosen)
}
