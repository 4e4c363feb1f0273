import { useMe } from '#features/accounts/client.web.ts'
import { problemTitle } from '#platform/api.web.ts'
import { SectionHeading } from '#platform/ui/Card.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useAllowPapers, usePermissions } from './client.web.ts'
import type { Permission } from './permission.ts'

/** Which families may make receipts in the practice's name. Nothing without a connected family. */
export function PermissionsCard() {
  const permissions = usePermissions().data?.permissions ?? []
  const isOwner = useMe().workspace?.role === 'owner'
  if (permissions.length === 0) return null
  return (
    <section>
      <SectionHeading>Receipts that families make</SectionHeading>
      <ul className="card list">
        {permissions.map((permission) => (
          <li key={permission.connection_id} className="px-5 py-2">
            <PermissionCheck permission={permission} isDisabled={!isOwner} />
          </li>
        ))}
      </ul>
      <p className="help mt-1.5">
        They get your next number and show your details. You get an email about each, and you can void it.
        {!isOwner && ' Only the owner changes this.'}
      </p>
    </section>
  )
}

interface PermissionCheckProps {
  permission: Permission
  isDisabled?: boolean
  /** Asks for what's missing before it's allowed; undefined if nothing is. */
  onAsk?: (() => void) | undefined
}

/** Saved as soon as it's tapped. */
export function PermissionCheck({ permission, isDisabled, onAsk }: PermissionCheckProps) {
  const allow = useAllowPapers()
  const toast = useToast()
  const { connection_id: id, other_name: name, is_allowed: isAllowed } = permission
  const change = async (wanted: boolean) => {
    try {
      await allow.mutateAsync({ id, is_allowed: wanted })
      toast.success(
        wanted
          ? `${name} may make receipts in your name`
          : `${name} makes no more receipts in your name. Those from before stay.`,
      )
    } catch (error) {
      toast.error('Error', problemTitle(error, 'This was not saved'))
    }
  }
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input
        type="checkbox"
        className="size-5 accent-accent"
        checked={allow.isPending ? allow.variables.is_allowed : isAllowed}
        disabled={isDisabled}
        onChange={({ target: { checked } }) => (checked && onAsk ? onAsk() : void change(checked))}
      />
      <span className="wrap-anywhere">{name} may make receipts in my name</span>
    </label>
  )
}
