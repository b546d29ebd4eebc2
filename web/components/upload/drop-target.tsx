import { UploadIcon } from '../icons.tsx';

/** Covers the page while a file is held over it: it may be dropped anywhere. */
export function DropTarget() {
  return (
    <div className="drop-target">
      <p>
        <UploadIcon className="size-10" />
        Drop the file anywhere
      </p>
    </div>
  );
}
