"""Transforms of images."""

from __future__ import annotations

from emberjit.dataset.transforms.transform import not_random
from emberjit.dataset.vision.boxes import BoundingBoxAugment, RandomCropWithBBox, RandomHorizontalFlipWithBBox, RandomResizeWithBBox, RandomResizedCropWithBBox, RandomVerticalFlipWithBBox, ResizeWithBBox
from emberjit.dataset.vision.codec import Decode, encode_jpeg, encode_png, get_image_num_channels, get_image_size, read_file, read_image, write_file, write_jpeg, write_png
from emberjit.dataset.vision.colour import AdjustBrightness, AdjustContrast, AdjustGamma, AdjustHue, AdjustSaturation, ConvertColor, Grayscale, HsvToRgb, RandomColor, RandomColorAdjust, RandomGrayscale, RandomLighting, RgbToHsv
from emberjit.dataset.vision.enhancing import AdjustSharpness, AutoContrast, Equalize, GaussianBlur, Invert, Posterize, RandomAdjustSharpness, RandomAutoContrast, RandomEqualize, RandomInvert, RandomPosterize, RandomSharpness, RandomSolarize, Solarize
from emberjit.dataset.vision.geometry import CenterCrop, Crop, CutOut, Erase, FiveCrop, Pad, PadToSize, RandomCrop, RandomCropDecodeResize, RandomErasing, RandomResize, RandomResizedCrop, Resize, ResizedCrop, SlicePatches, TenCrop
from emberjit.dataset.vision.kinds import AutoAugmentPolicy, Border, ConvertMode, ImageBatchFormat, ImageReadMode, Inter, SliceMode
from emberjit.dataset.vision.mixing import CutMixBatch, MixUp, MixUpBatch
from emberjit.dataset.vision.policies import AutoAugment, RandAugment, RandomSelectSubpolicy, TrivialAugmentWide, UniformAugment
from emberjit.dataset.vision.values import HWC2CHW, HorizontalFlip, LinearTransformation, Normalize, NormalizePad, RandomHorizontalFlip, RandomVerticalFlip, Rescale, ToNumpy, ToPIL, ToTensor, ToType, VerticalFlip
from emberjit.dataset.vision.video import DecodeVideo, VideoDecoder, read_video, read_video_timestamps
from emberjit.dataset.vision.warping import Affine, Perspective, RandomAffine, RandomPerspective, RandomRotation, Rotate

__all__ = ["AdjustBrightness", "AdjustContrast", "AdjustGamma", "AdjustHue", "AdjustSaturation", "AdjustSharpness", "Affine", "AutoAugment", "AutoAugmentPolicy", "AutoContrast", "Border", "BoundingBoxAugment", "CenterCrop", "ConvertColor", "ConvertMode", "Crop", "CutMixBatch", "CutOut", "Decode", "DecodeVideo", "Equalize", "Erase", "FiveCrop", "GaussianBlur", "Grayscale", "HWC2CHW", "HorizontalFlip", "HsvToRgb", "ImageBatchFormat", "ImageReadMode", "Inter", "Invert", "LinearTransformation", "MixUp", "MixUpBatch", "Normalize", "NormalizePad", "Pad", "PadToSize", "Perspective", "Posterize", "RandAugment", "RandomAdjustSharpness", "RandomAffine", "RandomAutoContrast", "RandomColor", "RandomColorAdjust", "RandomCrop", "RandomCropDecodeResize", "RandomCropWithBBox", "RandomEqualize", "RandomErasing", "RandomGrayscale", "RandomHorizontalFlip", "RandomHorizontalFlipWithBBox", "RandomInvert", "RandomLighting", "RandomPerspective", "RandomPosterize", "RandomResize", "RandomResizeWithBBox", "RandomResizedCrop", "RandomResizedCropWithBBox", "RandomRotation", "RandomSelectSubpolicy", "RandomSharpness", "RandomSolarize", "RandomVerticalFlip", "RandomVerticalFlipWithBBox", "Rescale", "Resize", "ResizeWithBBox", "ResizedCrop", "RgbToHsv", "Rotate", "SliceMode", "SlicePatches", "Solarize", "TenCrop", "ToNumpy", "ToPIL", "ToTensor", "ToType", "TrivialAugmentWide", "UniformAugment", "VerticalFlip", "VideoDecoder", "encode_jpeg", "encode_png", "get_image_num_channels", "get_image_size", "not_random", "read_file", "read_image", "read_video", "read_video_timestamps", "write_file", "write_jpeg", "write_png"]
