import { Archive, ArchiveRestore, Pencil, Trash2 } from 'lucide-react'
import { IconButton } from '#platform/ui/Button.tsx'
import { type RowAction, RowMenu } from '#platform/ui/RowMenu.tsx'
import type { Person } from './person.ts'

export interface PersonButtonsProps {
  person: Person
  onEdit: () => void
  onArchive: () => void
  onDelete: () => void
  /** More entries for the menu. */
  actions?: readonly RowAction[]
}

/** The buttons of one person: edit, delete, and a menu. */
export function PersonButtons({ person, onEdit, onArchive, onDelete, actions = [] }: PersonButtonsProps) {
  return (
    <>
      <IconButton label={`Edit ${person.name}`} onClick={onEdit}>
        <Pencil className="size-[18px]" aria-hidden="true" />
      </IconButton>
      <IconButton label={`Delete ${person.name}`} onClick={onDelete}>
        <Trash2 className="size-[18px]" aria-hidden="true" />
      </IconButton>
      <RowMenu
        label={`More for ${person.name}`}
        items={[
          person.archived
            ? { label: 'Restore', Icon: ArchiveRestore, run: onArchive }
            : { label: 'Archive', Icon: Archive, run: onArchive },
          ...actions,
        ]}
      />
    </>
  )
}
