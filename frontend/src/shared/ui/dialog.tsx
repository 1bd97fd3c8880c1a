import { Modal, type ModalProps } from "@mantine/core";
import type { ReactNode } from "react";

export interface DialogProps {
  title: string;
  size?: ModalProps["size"] | undefined;
  isOpen: boolean;
  close: () => void;
  children: ReactNode;
}

/** The frame of every dialog. What is in it is drawn only while it is open, so that it begins anew each time. */
export function Dialog({ title, size, isOpen, close, children }: DialogProps) {
  return (
    <Modal opened={isOpen} onClose={close} title={title} size={size ?? "md"} closeButtonProps={{ "aria-label": "Close" }}>
      {children}
    </Modal>
  );
}
