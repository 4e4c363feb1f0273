import { Send } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useMe, useSide } from '#features/accounts/client.web.ts'
import { useRecentSessions } from '#features/sessions/client.web.ts'
import { useStudents } from '#features/students/client.web.ts'
import type { Student } from '#features/students/student.ts'
import { useTutors } from '#features/tutors/client.web.ts'
import type { Tutor } from '#features/tutors/tutor.ts'
import { Button } from '#platform/ui/Button.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useConnections, useConnects, useOtherParent } from './client.web.ts'
import { newestWith } from './matching.ts'

// Loaded on first tap.
const InviteFamilyDialog = lazy(async () => ({
  default: (await import('./InviteFamilyDialog.tsx')).InviteFamilyDialog,
}))
const InviteDialog = lazy(async () => ({
  default: (await import('#features/workspaces/InviteDialog.tsx')).InviteDialog,
}))
const AskDialog = lazy(async () => ({ default: (await import('./AskDialog.tsx')).AskDialog }))

/**
 * After the first session with somebody, offers to let the other side confirm it; later, offers a family to
 * invite the other parent. Shown until the user sends a request or dismisses the offer.
 */
export function OfferCard() {
  const connects = useConnects()
  const side = useSide()
  if (!connects) return null
  return side === 'tutor' ? <FamilyOffer /> : <TutorOffer />
}

function TutorOffer() {
  const tutors = useTutors()
  const connections = useConnections()
  const sessions = useRecentSessions()
  const [isDismissed, dismiss] = useDismissed()
  const tutor = tutors.data?.find(
    (one) =>
      !one.is_self &&
      one.email !== null &&
      connections.data &&
      !connections.data.some(({ tutor_id: id }) => id === one.id) &&
      sessions.data?.sessions.some(({ tutor_id: id }) => id === one.id) &&
      !isDismissed(one.id),
  )
  // Asking ends the offer, but not the dialog, which then shows the link.
  const [asked, setAsked] = useState<Tutor>()
  const shown = asked ?? tutor
  if (shown)
    return (
      <TutorAsk
        key={shown.id}
        tutor={shown}
        onOpen={() => setAsked(shown)}
        onDone={() => setAsked(undefined)}
        onClose={() => dismiss(shown.id)}
      />
    )
  return isDismissed(OTHER_PARENT) ? null : <ParentOffer onClose={() => dismiss(OTHER_PARENT)} />
}

/** The key under which this offer is dismissed, beside those of tutors. */
const OTHER_PARENT = 'other-parent'

function ParentOffer({ onClose }: { onClose: () => void }) {
  const { isMissing } = useOtherParent()
  const students = useStudents('all')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      {isMissing && (
        <Offer
          title="Invite the other parent?"
          text="You both keep one log, each with your own password."
          label="Invite them"
          onAsk={() => setIsOpen(true)}
          onClose={onClose}
        />
      )}
      {isOpen && (
        <Suspense fallback={null}>
          <InviteDialog kind="family" students={students.data ?? []} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

interface TutorAskProps {
  tutor: Tutor
  onOpen?: () => void
  onDone?: () => void
  onClose: () => void
}

/** The offer to send a tutor a connection request. */
export function TutorAsk({ tutor, onOpen, onDone, onClose }: TutorAskProps) {
  const [isOpen, setIsOpen] = useState(false)
  const connects = useConnects()
  const connections = useConnections()
  const isAsked = connections.data?.some(({ tutor_id: id }) => id === tutor.id)
  if (!connects) return null
  return (
    <>
      {!isAsked && (
        <Offer
          title={`Let ${tutor.name} confirm your sessions?`}
          text={`${tutor.name} gets an email and doesn’t need an account. You both keep the same log.`}
          label="Ask to confirm"
          onAsk={() => {
            setIsOpen(true)
            onOpen?.()
          }}
          onClose={onClose}
        />
      )}
      {isOpen && (
        <Suspense fallback={null}>
          <AskDialog
            tutor={tutor}
            onClose={() => {
              setIsOpen(false)
              onDone?.()
            }}
          />
        </Suspense>
      )}
    </>
  )
}

function FamilyOffer() {
  const students = useStudents()
  const connections = useConnections()
  const sessions = useRecentSessions()
  const [isDismissed, dismiss] = useDismissed()
  const [asked, setAsked] = useState<Student>()
  const student = students.data?.find(
    ({ id }) =>
      connections.data &&
      !newestWith(connections.data, id) &&
      sessions.data?.sessions.some((session) => session.student_id === id) &&
      !isDismissed(id),
  )
  return (
    <>
      {student && (
        <Offer
          title={`Let ${student.name}’s family confirm your sessions?`}
          text="They get an email and don’t need an account. You both keep the same log."
          label="Invite the family"
          onAsk={() => setAsked(student)}
          onClose={() => dismiss(student.id)}
        />
      )}
      {asked && (
        <Suspense fallback={null}>
          <InviteFamilyDialog student={asked} onClose={() => setAsked(undefined)} />
        </Suspense>
      )}
    </>
  )
}

interface OfferProps {
  title: string
  text: string
  label: string
  onAsk: () => void
  onClose: () => void
}

function Offer({ title, text, label, onAsk, onClose }: OfferProps) {
  return (
    <section className="mt-5 rounded-lg bg-accent-soft p-5" aria-label={title}>
      <h2 className="text-[1.1875rem] leading-snug wrap-anywhere">{title}</h2>
      <p className="mt-1.5 text-ink-2">{text}</p>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button tone="secondary" onClick={onClose}>
          Not now
        </Button>
        <Button className="max-w-full flex-auto md:flex-none" onClick={onAsk}>
          <Send className="i" aria-hidden="true" />
          {label}
        </Button>
      </div>
    </section>
  )
}

/**
 * Returns two functions: one checks whether an offer was dismissed, the other dismisses it and lets the user
 * undo that. Dismissed offers are stored on this device, per workspace.
 */
function useDismissed(): [(id: string) => boolean, (id: string) => void] {
  const key = `not-asked:${useMe().workspace?.id ?? ''}`
  const toast = useToast()
  const [ids, setIds] = useState<string[]>(() => readIds(key))
  const keep = (next: string[]) => {
    setIds(next)
    try {
      localStorage.setItem(key, JSON.stringify(next))
    } catch {
      // If the browser blocks storage, the offer comes back next time.
    }
  }
  return [
    (id) => ids.includes(id),
    (id) => {
      keep([...ids, id])
      toast.success("You won't be asked again", undefined, { label: 'Undo', run: () => keep(ids) })
    },
  ]
}

function readIds(key: string): string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}
