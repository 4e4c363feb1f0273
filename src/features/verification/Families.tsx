import { useState } from 'react'
import { useAnswerFamily, useFamilies, useLeaveFamily } from '#features/links/client.web.ts'
import type { Family } from '#features/links/link.ts'
import { Button } from '#platform/ui/Button.tsx'
import { SectionHeading } from '#platform/ui/Card.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { useToast } from '#platform/ui/Toast.tsx'

const nameOf = (family: Family) => family.name ?? 'A family'

/** The families that ask this tutor to confirm: accept or decline. */
export function FamilyRequests() {
  const families = useFamilies()
  const answer = useAnswerFamily()
  const toast = useToast()
  const asking = families.data?.filter((family) => family.state === 'asked') ?? []
  const reply = async (family: Family, state: 'active' | 'declined') => {
    try {
      await answer.mutateAsync({ family, state })
      toast.success(state === 'active' ? `${nameOf(family)} is linked` : 'Declined')
    } catch {
      toast.error('Error', 'Your answer was not taken. Please look again.')
    }
  }
  if (asking.length === 0) return null
  return (
    <ul className="mt-5 grid gap-3">
      {asking.map((family) => (
        <li key={family.id} className="rounded-lg bg-accent-soft p-5">
          <h2>{nameOf(family)} asks you to confirm sessions</h2>
          <p className="mt-1.5 text-ink-2">You will see the sessions they log with you and confirm them. They see your answers. Either of you can end it.</p>
          <div className="mt-4 flex gap-3">
            <Button tone="secondary" onClick={() => void reply(family, 'declined')}>Decline</Button>
            <Button className="flex-1 md:flex-none md:px-10" busy={answer.isPending} busyText="Accepting..." onClick={() => void reply(family, 'active')}>Accept</Button>
          </div>
        </li>
      ))}
    </ul>
  )
}

/** The linked families, each with a way to end the link. */
export function LinkedFamilies() {
  const families = useFamilies()
  const leave = useLeaveFamily()
  const toast = useToast()
  const [left, setLeft] = useState<Family>()
  const linked = families.data?.filter((family) => family.state === 'active') ?? []
  const end = async (family: Family) => {
    try {
      await leave.mutateAsync(family)
      toast.success('Link ended')
      setLeft(undefined)
    } catch {
      toast.error('Error', 'The link could not be ended')
    }
  }
  if (linked.length === 0) return null
  return (
    <section className="mt-7">
      <SectionHeading>Linked families</SectionHeading>
      <ul className="card list">
        {linked.map((family) => (
          <li key={family.id} className="flex min-h-[56px] items-center justify-between gap-3 py-1.5 pr-2 pl-5">
            <span className="min-w-0 font-semibold break-words">{nameOf(family)}</span>
            <Button tone="quiet" size="small" aria-label={`End the link with ${nameOf(family)}`} onClick={() => setLeft(family)}>End</Button>
          </li>
        ))}
      </ul>
      {left && (
        <ConfirmDialog title="End the link" text={`You will no longer see or confirm the sessions of ${nameOf(left)}.`} consequence="What you confirmed stays confirmed." confirmLabel="End" busyText="Ending..."
          isBusy={leave.isPending} onConfirm={() => void end(left)} onCancel={() => setLeft(undefined)} />
      )}
    </section>
  )
}
