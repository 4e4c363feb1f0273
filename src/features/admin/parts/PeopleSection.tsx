import { useDeferredValue, useState } from 'react'
import { useMe } from '#features/accounts/client.web.ts'
import { dayIn, formatDay } from '#kernel/calendar-day.ts'
import { inOneLine } from '#kernel/isolate.ts'
import { problemTitle } from '#platform/api.web.ts'
import { useFailureToast } from '#platform/query.web.ts'
import { Badge, RoleBadge } from '#platform/ui/Badge.tsx'
import { Button } from '#platform/ui/Button.tsx'
import { SectionHeading } from '#platform/ui/Card.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { Empty, LoadFailed } from '#platform/ui/Empty.tsx'
import { TextField } from '#platform/ui/Field.tsx'
import { SettingRow } from '#platform/ui/SettingRow.tsx'
import { LoadingCards } from '#platform/ui/Skeleton.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import type { AccountLine } from '../admin.ts'
import { usePeople, useResendFor, useSetDisabled } from '../client.web.ts'
import { RecordDialog } from './RecordDialog.tsx'

export function PeopleSection() {
  const [search, setSearch] = useState('')
  const people = usePeople(useDeferredValue(search.trim()))
  const [opened, setOpened] = useState<AccountLine>()
  useFailureToast(people.error, 'Failed to fetch people')
  const list = people.data?.pages.flatMap((page) => page.people) ?? []
  return (
    <section className="mt-6" aria-labelledby="people">
      <SectionHeading>
        <span id="people">People</span>
      </SectionHeading>
      <TextField
        label="Search by name or email"
        type="search"
        autoComplete="off"
        maxLength={100}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        help="Everyone listed here can see in their export that you viewed them."
      />
      <div className="mt-4">
        {people.isPending && <LoadingCards count={3} label="Loading people..." />}
        {people.isError && (
          <LoadFailed title="The list of people didn’t load" onRetry={() => void people.refetch()} />
        )}
        {people.isSuccess && list.length === 0 && (
          <Empty title="No one found" line="Try part of the name or email" />
        )}
        {list.length > 0 && (
          <div className="card list">
            {list.map((person) => (
              <PersonRow key={person.id} person={person} onOpen={() => setOpened(person)} />
            ))}
          </div>
        )}
        {people.hasNextPage && (
          <div className="mt-4 text-center">
            <Button
              tone="secondary"
              busy={people.isFetchingNextPage}
              busyText="Loading..."
              onClick={() => void people.fetchNextPage()}
            >
              Show more
            </Button>
          </div>
        )}
      </div>
      {opened && <RecordDialog person={opened} onClose={() => setOpened(undefined)} />}
    </section>
  )
}

function PersonRow({ person, onOpen }: { person: AccountLine; onOpen: () => void }) {
  const isOwn = useMe().id === person.id
  const toast = useToast()
  const resend = useResendFor()
  const disabling = useSetDisabled()
  const [isAsking, setIsAsking] = useState(false)
  const say = (error: unknown) => toast.error('Error', problemTitle(error, 'An unexpected error occurred'))
  const day = (instant: string) =>
    formatDay(dayIn(new Date(instant)), { month: 'short', day: 'numeric', year: 'numeric' })
  const disable = (disabled: boolean) =>
    disabling.mutate(
      { person, disabled },
      {
        onSuccess: () => toast.success(disabled ? 'Account disabled' : 'Account enabled', person.email),
        onError: say,
        onSettled: () => setIsAsking(false),
      },
    )
  const name = person.full_name ?? person.email
  return (
    <SettingRow
      title={
        <>
          {name} {person.role && <RoleBadge role={person.role} />}{' '}
          {!person.is_confirmed && <Badge tone="warn">Not confirmed</Badge>}{' '}
          {person.is_disabled && <Badge tone="danger">Disabled</Badge>}{' '}
          {person.is_leaving && <Badge tone="warn">Deleted</Badge>}
        </>
      }
      line={inOneLine([
        person.full_name && person.email,
        `since ${day(person.created_at)}`,
        person.last_seen_at && `last seen ${day(person.last_seen_at)}`,
      ])}
    >
      <span className="flex flex-wrap gap-2">
        {!person.is_confirmed && (
          <Button
            tone="secondary"
            size="small"
            busy={resend.isPending}
            busyText="Sending..."
            aria-label={`Resend verification to ${name}`}
            onClick={() =>
              resend.mutate(person, {
                onSuccess: () => toast.success('Verification email sent', person.email),
                onError: say,
              })
            }
          >
            Resend verification
          </Button>
        )}
        <Button tone="secondary" size="small" aria-label={`Open ${name}’s record`} onClick={onOpen}>
          Record
        </Button>
        {!isOwn &&
          (person.is_disabled ? (
            <Button
              tone="secondary"
              size="small"
              busy={disabling.isPending}
              busyText="Enabling..."
              aria-label={`Enable ${name}`}
              onClick={() => disable(false)}
            >
              Enable
            </Button>
          ) : (
            <Button
              tone="danger-outline"
              size="small"
              aria-label={`Disable ${name}`}
              onClick={() => setIsAsking(true)}
            >
              Disable
            </Button>
          ))}
      </span>
      {isAsking && (
        <ConfirmDialog
          title="Disable account"
          text={`${name} is signed out everywhere and can't sign in.`}
          consequence="Nothing is deleted, and you can enable the account again."
          confirmLabel="Disable"
          busyText="Disabling..."
          isBusy={disabling.isPending}
          onConfirm={() => disable(true)}
          onCancel={() => setIsAsking(false)}
        />
      )}
    </SettingRow>
  )
}
