import { Modal, type ModalProps } from "@mantine/core";
import { createContext, type ReactNode, useContext } from "react";

/** Closes the dialog that a form is drawn in. */
const CloseContext = createContext<(() => void) | undefined>(undefined);

/** What closes the dialog around; undefined outside of one. */
export const useCloseDialog = (): (() => void) | undefined => useContext(CloseContext);

export interface DialogProps {
  title: string;
  size?: ModalProps["size"] | undefined;
  isOpen: boolean;
  /** Left out where it stays open until what it shows is over. */
  close?: () => void;
  children: ReactNode;
}

/** The frame of every dialog. What is in it is drawn only while it is open, so that it begins anew each time. */
export function Dialog({ title, size, isOpen, close, children }: DialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={close ?? (() => {})}
      withCloseButton={close !== undefined}
      title={title}
      size={size ?? "md"}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <CloseContext value={close}>{children}</CloseContext>
    </Modal>
  );
}
