import { Trash2, UserPlus } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { dayIn, formatDay } from '#kernel/calendar-day.ts'
import { newId } from '#kernel/id.ts'
import { isolated } from '#kernel/isolate.ts'
import { problemTitle } from '#platform/api.web.ts'
import { useFailureToast } from '#platform/query.web.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { Button, IconButton } from '#platform/ui/Button.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { LoadFailed } from '#platform/ui/Empty.tsx'
import { SelectField } from '#platform/ui/EntryField.tsx'
import { late } from '#platform/ui/late.tsx'
import { useReopen } from '#platform/ui/reopen.web.ts'
import { SettingRow } from '#platform/ui/SettingRow.tsx'
import { Loading } from '#platform/ui/Skeleton.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useChangeMember, useInviteMember, useMembers, useRemoveMember } from './client.web.ts'
import { ROLE_WORDS, STUDENT_WORDS } from './naming.ts'
import type { Person } from './StudentChoice.tsx'
import { GIVEN_ROLES, type Kind, type Member, type MemberRole, MOST_MEMBERS } from './workspace.ts'

const StudentsDialog = late(async () => (await import('./StudentsDialog.tsx')).StudentsDialog)
const InviteDialog = late(async () => (await import('./InviteDialog.tsx')).InviteDialog)

const WHAT_FOR: Record<Kind, string> = {
  family:
    'Invite the other parent, or a caregiver who logs sessions. Everyone signs in with their own password.',
  practice: 'Invite an assistant, who logs and confirms sessions and signs in with their own password.',
}

const HOW_TO_LEAVE: Record<Kind, string> = {
  family: 'To leave this family, make another parent the owner first.',
  practice: 'To leave this practice, make an assistant the owner first.',
}

interface MembersSectionProps {
  kind: Kind
  /** The current user's role when this screen was loaded. Only the owner can change the list of members. */
  role: MemberRole
  /** The people that a member's access can be limited to: a family's children or a practice's students. */
  students: Person[]
  /** Whether owners need a plan, which they do if this server takes payments. */
  takesPayments: boolean
  /** Called after the current user has left and can't see anything here anymore. */
  onLeft: () => void
  /** Called when the current user's role has changed, so that the rest of the page can update. */
  onRoleChanged: () => void
}

export function MembersSection({
  kind,
  role,
  students,
  takesPayments,
  onLeft,
  onRoleChanged,
}: MembersSectionProps) {
  const members = useMembers()
  const isOwner = role === 'owner'
  const newRole = members.data?.find((one) => one.is_me)?.role ?? role
  // Called once per change, even though the caller passes a new function on every render.
  const tellOfRole = useEffectEvent(onRoleChanged)
  useEffect(() => {
    if (newRole !== role) tellOfRole()
  }, [newRole, role])
  const [isInviting, setIsInviting] = useState(false)
  useFailureToast(members.error, 'Failed to fetch the members')
  useReopen('member', undefined, () => setIsInviting(isOwner))
  if (members.isPending)
    return (
      <Loading label="Loading the members...">
        <div className="card">
          <div className="flex min-h-16 items-center px-5">
            <div className="sk h-6 w-24" />
          </div>
          <div className="grid min-h-16 content-center gap-2 border-t border-line px-5">
            <div className="sk h-4 w-40" />
            <div className="sk h-3 w-56" />
          </div>
        </div>
      </Loading>
    )
  if (members.isError)
    return <LoadFailed title="The members didn’t load" onRetry={() => void members.refetch()} />
  const list = members.data
  const isFull = list.length >= MOST_MEMBERS
  const notes = [
    list.length === 1 ? WHAT_FOR[kind] : '',
    list.some(({ state, is_me: isMe }) => state === 'member' && !isMe) ? HOW_TO_LEAVE[kind] : '',
    isFull ? `You can have up to ${MOST_MEMBERS} people, including those you’ve invited.` : '',
  ].filter(Boolean)
  return (
    <section className="card" aria-labelledby="members">
      <div className="flex min-h-16 flex-wrap items-center justify-between gap-3 px-5 py-3">
        <h2 id="members">{kind === 'family' ? 'Family' : 'Practice'}</h2>
        {isOwner && !isFull && (
          <Button tone="quiet" size="small" className="-mr-3" onClick={() => setIsInviting(true)}>
            <UserPlus className="i" aria-hidden="true" />
            {kind === 'family' && list.length === 1 ? 'Invite the other parent' : 'Invite someone'}
          </Button>
        )}
      </div>
      <ul className="list border-t border-line">
        {list.map((member) => (
          <li key={member.id}>
            <MemberRow
              member={member}
              kind={kind}
              isOwner={isOwner}
              students={students}
              takesPayments={takesPayments}
              onLeft={onLeft}
            />
          </li>
        ))}
      </ul>
      {isOwner && notes.length > 0 && (
        <p className="px-5 pt-1 pb-4 text-small text-ink-2">{notes.join(' ')}</p>
      )}
      {isInviting && <InviteDialog kind={kind} students={students} onClose={() => setIsInviting(false)} />}
    </section>
  )
}

type RowProps = Pick<MembersSectionProps, 'kind' | 'students' | 'takesPayments' | 'onLeft'> & {
  member: Member
  isOwner: boolean
}

function MemberRow({ member, kind, isOwner, students, takesPayments, onLeft }: RowProps) {
  const name = nameOf(member)
  const [isChoosing, setIsChoosing] = useState(false)
  return (
    <SettingRow
      title={
        <>
          {name} {member.is_me && <Badge>You</Badge>}
        </>
      }
      line={lineOf(member, name, studentsOf(member, students, kind))}
    >
      {member.state === 'invited' && isOwner && <InvitationActions member={member} name={name} />}
      {member.state === 'member' && isOwner && !member.is_me && (
        // On a phone, the buttons go on their own line. Borderless buttons are aligned with the text.
        <div className="-mx-3 flex basis-full flex-wrap items-center gap-2 sm:basis-auto">
          {students.length > 0 && (
            <Button
              tone="quiet"
              size="small"
              aria-label={`${STUDENT_WORDS[kind].title} that ${name} sees`}
              onClick={() => setIsChoosing(true)}
            >
              {STUDENT_WORDS[kind].title}
            </Button>
          )}
          {(GIVEN_ROLES[kind].length > 1 || canOwn(member, kind)) && (
            <RoleSelect member={member} name={name} kind={kind} takesPayments={takesPayments} />
          )}
          <Removal
            member={member}
            title={`Remove ${name}?`}
            text={`They’ll lose access to your ${kind} at once. What they logged stays.`}
            confirmLabel="Remove"
            done={`${name} was removed`}
          >
            {(open) => (
              <IconButton label={`Remove ${name}`} onClick={open}>
                <Trash2 className="size-[18px]" aria-hidden="true" />
              </IconButton>
            )}
          </Removal>
        </div>
      )}
      {isChoosing && (
        <StudentsDialog
          member={member}
          name={name}
          kind={kind}
          students={students}
          onClose={() => setIsChoosing(false)}
        />
      )}
      {member.is_me && !isOwner && (
        <Removal
          member={member}
          title={`Leave this ${kind}?`}
          text={`You will no longer see its records. What you logged stays with the ${kind}.`}
          confirmLabel="Leave"
          done={`You left the ${kind}`}
          onDone={onLeft}
        >
          {(open) => (
            // On a phone, the button goes on its own line.
            <div className="basis-full sm:basis-auto">
              <Button tone="danger-outline" size="small" onClick={open}>
                Leave this {kind}
              </Button>
            </div>
          )}
        </Removal>
      )}
    </SettingRow>
  )
}

/** A member's name. If there isn't one, uses the address, which only the owner can see. */
function nameOf({ name, email, role }: Member): string {
  return name ?? email ?? (role === 'owner' ? 'The owner' : 'No name given')
}

function lineOf({ state, role, email, expires_at: expires }: Member, name: string, whose?: string): string {
  const words = [ROLE_WORDS[role]]
  if (whose) words.push(whose)
  if (email && email !== name) words.push(email)
  if (state === 'invited' && expires)
    words.push(
      `invitation expires ${formatDay(dayIn(new Date(expires)), { month: 'short', day: 'numeric' })}`,
    )
  return words.join(', ')
}

/** The names of the students that a limited member sees. Undefined if the member sees all of them. */
function studentsOf({ student_ids: ids }: Member, students: Person[], kind: Kind): string | undefined {
  if (!ids) return undefined
  const names = students.filter(({ id }) => ids.includes(id)).map((one) => isolated(one.name))
  return names.length > 0 ? `for ${names.join(' and ')}` : `for some ${STUDENT_WORDS[kind].some}`
}

/** Whether a member can become the owner. Only a parent or assistant who sees all students can. */
function canOwn({ role, student_ids: ids }: Member, kind: Kind): boolean {
  return role === GIVEN_ROLES[kind][0] && ids === null
}

/**
 * Changes a role right away. Making someone else the owner requires confirmation first, because the current
 * owner loses that role.
 */
function RoleSelect({
  member,
  name,
  kind,
  takesPayments,
}: Pick<RowProps, 'member' | 'kind' | 'takesPayments'> & { name: string }) {
  const toast = useToast()
  const change = useChangeMember()
  const [isAsking, setIsAsking] = useState(false)
  const [given] = GIVEN_ROLES[kind]
  const give = async (role: MemberRole) => {
    try {
      await change.mutateAsync({ member, input: { role } })
      toast.success(
        role === 'owner' ? `${name} is the owner now` : 'Role changed',
        role === 'owner' ? undefined : `${name}: ${ROLE_WORDS[role]}`,
      )
    } catch (error) {
      toast.error('Error', problemTitle(error, 'Failed to change the role'))
    }
    setIsAsking(false)
  }
  return (
    <div className="only-select w-[min(9rem,70vw)]">
      <SelectField
        label={`${name}’s role`}
        value={change.isPending ? change.variables.input.role : member.role}
        disabled={change.isPending}
        onChange={({ target }) =>
          target.value === 'owner' ? setIsAsking(true) : void give(target.value as MemberRole)
        }
      >
        {GIVEN_ROLES[kind].map((role) => (
          <option key={role} value={role}>
            {ROLE_WORDS[role]}
          </option>
        ))}
        {canOwn(member, kind) && <option value="owner">Make owner...</option>}
      </SelectField>
      {isAsking && (
        <ConfirmDialog
          title={`Make ${name} the owner?`}
          text={
            `They will manage the members${takesPayments ? `, and the ${kind} will use their plan instead of yours` : ''}. ` +
            `Your role will change to ${given === 'parent' ? 'parent' : 'assistant'}.`
          }
          consequence="Only they can make you the owner again."
          confirmLabel="Make owner"
          busyText="One moment..."
          isBusy={change.isPending}
          onConfirm={() => void give('owner')}
          onCancel={() => setIsAsking(false)}
        />
      )}
    </div>
  )
}

function InvitationActions({ member, name }: { member: Member; name: string }) {
  const toast = useToast()
  const invite = useInviteMember()
  const resend = async () => {
    try {
      await invite.mutateAsync({
        input: { email: member.email ?? '', role: member.role, student_ids: member.student_ids },
        idempotencyKey: newId(),
      })
      toast.success('Invitation sent again', 'The earlier link no longer works.')
    } catch (error) {
      toast.error('Error', problemTitle(error, 'The invitation could not be sent'))
    }
  }
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        tone="secondary"
        size="small"
        busy={invite.isPending}
        busyText="Sending..."
        aria-label={`Resend the invitation to ${name}`}
        onClick={() => void resend()}
      >
        Resend
      </Button>
      <Removal
        member={member}
        title="Withdraw this invitation?"
        text={`The link sent to ${name} will stop working.`}
        confirmLabel="Withdraw"
        done="Invitation withdrawn"
      >
        {(open) => (
          <Button tone="quiet" size="small" aria-label={`Withdraw the invitation to ${name}`} onClick={open}>
            Withdraw
          </Button>
        )}
      </Removal>
    </div>
  )
}

interface RemovalProps {
  member: Member
  title: string
  text: string
  confirmLabel: string
  done: string
  onDone?: () => void
  /** Renders the button that opens this dialog. */
  children: (open: () => void) => ReactNode
}

/** Asks for confirmation, then ends a membership or withdraws an invitation. */
function Removal({ member, title, text, confirmLabel, done, onDone, children }: RemovalProps) {
  const toast = useToast()
  const removal = useRemoveMember()
  const [isAsking, setIsAsking] = useState(false)
  const remove = async () => {
    try {
      await removal.mutateAsync(member)
      toast.success(done)
      onDone?.()
    } catch (error) {
      toast.error('Error', problemTitle(error, "That didn't work. Please try again."))
    }
    setIsAsking(false)
  }
  return (
    <>
      {children(() => setIsAsking(true))}
      {isAsking && (
        <ConfirmDialog
          title={title}
          text={text}
          confirmLabel={confirmLabel}
          busyText="One moment..."
          isBusy={removal.isPending}
          onConfirm={() => void remove()}
          onCancel={() => setIsAsking(false)}
        />
      )}
    </>
  )
}
